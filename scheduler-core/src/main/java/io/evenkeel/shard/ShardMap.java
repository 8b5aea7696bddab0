package io.evenkeel.shard;

import io.evenkeel.config.ShardSettings;
import io.evenkeel.model.Node;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.NameForm;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which shard a node is in: the one of its label's value, or the one that its name's hash ranks first. All replicas must rank alike,
 * of whatever version they are, so the hash never changes:
 *
 * <pre>
 *   weight of shard i for a text = number i of those that SplitMix64 draws from the seed FNV-1a-64(text in UTF-8)
 *   the rank of shards           = by falling weight, signed (rendezvous hashing: Thaler and Ravishankar 1998)
 * </pre>
 *
 * So one shard more takes its part of each other's nodes, and no other node moves.
 */
public final class ShardMap {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final long SPLIT_MIX_STEP = 0x9e3779b97f4a7c15L;

    private static final String REFUSES = " across=Refuse";
    private static final Pattern COUNT = Pattern.compile("count=([1-9][0-9]?)");
    private static final Pattern LABEL = Pattern.compile("(\\S+) in \\(([^()\\s]*)\\)");

    private final ShardSettings settings;
    private final int count;

    public ShardMap(ShardSettings settings) {
        this.settings = settings;
        count = settings.shards();
    }

    public int count() {
        return count;
    }

    /** Whether pods that one shard cannot judge are refused. */
    boolean hasNoOverseer() {
        return settings.refusesAcross();
    }

    /** By whose values nodes are parted; empty where their names are hashed. */
    public Optional<String> nodeLabel() {
        return settings.nodeLabel().isEmpty() ? Optional.empty() : Optional.of(settings.nodeLabel());
    }

    /** The value of the label that all nodes of the shard have; empty where they may have several, or none. */
    Optional<String> valueOf(int shard) {
        return shard < settings.values().size() ? Optional.of(settings.values().get(shard)) : Optional.empty();
    }

    /** The shards with nodes whose label may be one of these values, a bit each. */
    long mayHave(List<String> values) {
        long shards = 0;
        int listed = 0;
        for (int shard = 0; shard < settings.values().size(); shard++) {
            if (values.contains(settings.values().get(shard))) {
                shards |= 1L << shard;
                listed++;
            }
        }
        return values.size() > listed ? shards | 1L << (count - 1) : shards;
    }

    /**
     * In one line, as it is written for others: {@code count=4}, or {@code example.com/pool in (a,b)}; and {@code across=Refuse} behind
     * it where that is so.
     */
    public String text() {
        String parts =
                moves() ? settings.nodeLabel() + " in (" + String.join(",", settings.values()) + ")" : "count=" + count;
        return settings.refusesAcross() ? parts + REFUSES : parts;
    }

    /** Reads a map as it was written; empty where it makes no sense. */
    public static Optional<ShardMap> parse(String written) {
        boolean refuses = written.endsWith(REFUSES);
        String text = refuses ? written.substring(0, written.length() - REFUSES.length()) : written;
        Matcher hashed = COUNT.matcher(text);
        if (hashed.matches()) {
            int count = Integer.parseInt(hashed.group(1));
            return count > ShardSettings.MOST_SHARDS
                    ? Optional.empty()
                    : Optional.of(new ShardMap(new ShardSettings("", List.of(), count, refuses)));
        }
        Matcher labelled = LABEL.matcher(text);
        if (!labelled.matches() || !NameForm.isLabelKey(labelled.group(1))) {
            return Optional.empty();
        }
        List<String> values = List.of(labelled.group(2).split(",", -1));
        return values.size() <= ShardSettings.MOST_VALUES
                        && Set.copyOf(values).size() == values.size()
                        && values.stream().allMatch(NameForm::isLabelValue)
                ? Optional.of(new ShardMap(new ShardSettings(labelled.group(1), values, 1, refuses)))
                : Optional.empty();
    }

    /** Whether a node may come from one shard to another: its label may change, its name never does. */
    public boolean moves() {
        return !settings.nodeLabel().isEmpty();
    }

    public int ofNode(Node node) {
        if (!moves()) {
            return fallbackOf(node.name());
        }
        int label = node.labels().find(settings.nodeLabel());
        int shard = label < 0 ? -1 : settings.values().indexOf(node.labels().valueAt(label));
        return shard < 0 ? count - 1 : shard;
    }

    /** Whether each domain of the topology key lies in one shard; host names are taken to be one node's each. */
    public boolean keepsWhole(String topologyKey) {
        return topologyKey.equals(Node.HOSTNAME) || topologyKey.equals(settings.nodeLabel());
    }

    /** The shard of a node of that name, if the name tells it. */
    public OptionalInt ofName(String nodeName) {
        return moves() ? OptionalInt.empty() : OptionalInt.of(fallbackOf(nodeName));
    }

    /** The shard that answers for a node that nobody knows. */
    public int fallbackOf(String nodeName) {
        long seed = hash(nodeName);
        int first = 0;
        for (int shard = 1; shard < count; shard++) {
            if (weight(seed, shard) > weight(seed, first)) {
                first = shard;
            }
        }
        return first;
    }

    /** All shards in the order in which they try a pod. Pods of one owner share it, so that where one fits, the next fits too. */
    public int[] ring(Pod pod) {
        String uid = pod.meta()
                .controller()
                .map(OwnerReference::uid)
                .orElse(pod.meta().uid());
        long seed = hash(uid.isEmpty() ? pod.key() : uid);
        int[] ring = new int[count];
        long[] weights = new long[count];
        for (int shard = 0; shard < count; shard++) {
            long weight = weight(seed, shard);
            int at = shard;
            for (; at > 0 && weights[at - 1] < weight; at--) {
                weights[at] = weights[at - 1];
                ring[at] = ring[at - 1];
            }
            weights[at] = weight;
            ring[at] = shard;
        }
        return ring;
    }

    private static long hash(String text) {
        long hash = FNV_OFFSET;
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (each & 0xff)) * FNV_PRIME;
        }
        return hash;
    }

    private static long weight(long seed, int shard) {
        long state = seed + (shard + 1) * SPLIT_MIX_STEP;
        long first = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
        long second = (first ^ (first >>> 27)) * 0x94d049bb133111ebL;
        return second ^ (second >>> 31);
    }
}
