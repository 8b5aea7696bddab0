package io.evenkeel.shard;

import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * The nodes as a shard sees them, where a label parts them: all are known by their shard, those of this one are there or withheld. With
 * hashed names a node never moves, and nothing is kept.
 *
 * <pre>
 *   a node of this shard           is withheld until
 *   of the first list, or new      all others have seen it as it was when it came here
 *   that came from elsewhere       the same; then pods have been listed anew, as those on it were none of ours
 *   always                         as many pods have been seen as the others had by then
 * </pre>
 */
final class ShardNodes {
    private static final int UNKNOWN = -1;

    /** Pods that are on no node any more are deleted long before so many others have gone. */
    private static final int MOST_GONE = 10_000;

    private final int shard;
    private final ShardMap map;
    private final Map<String, Integer> shards = new HashMap<>();
    private final Map<String, Withheld> withheld = new LinkedHashMap<>();
    /** The last nodes of other shards that went: one that comes back by such a name may have pods, as if it came from there. */
    private final LinkedHashSet<String> gone = new LinkedHashSet<>();

    private ShardProgress others = ShardProgress.NONE;
    private boolean isListing;
    private boolean wantsPods;
    /** Whether pods are being listed, or are about to be as it was wanted. */
    private boolean isListingPods;

    private static final class Withheld {
        enum Stage {
            /** The others, to see the node as it is. */
            OTHERS,
            /** The list of pods, to begin. */
            LIST,
            /** The list of pods, to end. */
            LISTED,
            /** Pods that others had seen. */
            PODS
        }

        Node node;
        final long since;
        final boolean isFromElsewhere;
        Stage stage = Stage.OTHERS;
        /** The least, as a Lease may have said anything for a while. */
        long pods = Long.MAX_VALUE;

        Withheld(Node node, boolean isFromElsewhere) {
            this.node = node;
            this.isFromElsewhere = isFromElsewhere;
            since = Seen.version(node.meta());
        }
    }

    /** What becomes of the node here. */
    enum Change {
        /** It is none of ours, as before. */
        NONE,
        /** It is ours, as before, or from now on. */
        HERE,
        /** It is ours, but not to be placed on yet. */
        WITHHELD,
        /** It is none of ours, which is news. */
        ELSEWHERE
    }

    ShardNodes(int shard, ShardMap map) {
        this.shard = shard;
        this.map = map;
    }

    /** Empty where the node is not known. */
    OptionalInt shardOf(String node) {
        if (!map.moves()) {
            return map.ofName(node);
        }
        Integer known = shards.get(node);
        return known == null ? OptionalInt.empty() : OptionalInt.of(known);
    }

    /** Who answers for the node. */
    int ownerOf(String node) {
        return shardOf(node).orElseGet(() -> map.fallbackOf(node));
    }

    boolean isWithheld(String node) {
        return withheld.containsKey(node);
    }

    boolean isAnyWithheld() {
        return !withheld.isEmpty();
    }

    Change put(Node node) {
        if (!map.moves()) {
            return map.ofNode(node) == shard ? Change.HERE : Change.NONE;
        }
        int now = map.ofNode(node);
        Integer known = shards.put(node.name(), now);
        int before = known == null ? UNKNOWN : known;
        if (now != shard) {
            withheld.remove(node.name());
            return now == before || (before != shard && before != UNKNOWN) ? Change.NONE : Change.ELSEWHERE;
        }
        Withheld waiting = withheld.get(node.name());
        if (waiting != null) {
            waiting.node = node;
            return Change.WITHHELD;
        }
        if (before == shard) {
            return Change.HERE;
        }
        boolean isFromElsewhere = before != UNKNOWN || isListing || gone.remove(node.name());
        withheld.put(node.name(), new Withheld(node, isFromElsewhere));
        return Change.WITHHELD;
    }

    /** Returns whether it was ours. */
    boolean remove(String node) {
        if (!map.moves()) {
            return map.fallbackOf(node) == shard;
        }
        withheld.remove(node);
        Integer before = shards.remove(node);
        if (before != null && before != shard) {
            gone.add(node);
            if (gone.size() > MOST_GONE) {
                gone.removeFirst();
            }
        }
        return before != null && before == shard;
    }

    boolean isAnyKnown() {
        return !shards.isEmpty();
    }

    void began() {
        isListing = true;
    }

    /** Returns the names of those that are gone. */
    List<String> ended(Predicate<ObjectMeta> gone) {
        isListing = false;
        List<String> names = shards.keySet().stream()
                .filter(name -> gone.test(ObjectMeta.named("", name)))
                .toList();
        names.forEach(this::remove);
        return names;
    }

    void podsBegan() {
        isListingPods = true;
        wantsPods = false;
        withheld.values()
                .forEach(each -> each.stage = switch (each.stage) {
                    case LIST, LISTED -> Withheld.Stage.LISTED;
                    case OTHERS, PODS -> each.stage;
                });
    }

    void podsEnded() {
        isListingPods = false;
        withheld.values()
                .forEach(each -> each.stage = each.stage == Withheld.Stage.LISTED ? Withheld.Stage.PODS : each.stage);
    }

    void othersAt(ShardProgress least) {
        others = least;
        waitForPods();
    }

    /** Those that others have seen, which may have been before they came here. */
    private void waitForPods() {
        for (Withheld each : withheld.values()) {
            boolean haveSeen = others.nodes() >= each.since;
            if (haveSeen) {
                each.pods = Math.min(each.pods, others.podsSeen());
            }
            if (each.stage == Withheld.Stage.OTHERS && haveSeen) {
                each.stage = each.isFromElsewhere ? Withheld.Stage.LIST : Withheld.Stage.PODS;
                wantsPods |= each.isFromElsewhere;
            }
        }
    }

    /** The nodes that wait for nothing any more. */
    List<Node> released(long podsSeen) {
        if (withheld.isEmpty()) {
            return List.of();
        }
        waitForPods();
        List<Node> free = new ArrayList<>();
        withheld.values().removeIf(each -> {
            boolean isFree = each.stage == Withheld.Stage.PODS && podsSeen >= each.pods;
            if (isFree) {
                free.add(each.node);
            }
            return isFree;
        });
        return free;
    }

    /** Not while they are being listed: who waits for that waits for the end, and has them listed once more. */
    boolean takesPodsAnew() {
        if (!wantsPods || isListingPods) {
            return false;
        }
        wantsPods = false;
        isListingPods = true;
        return true;
    }
}
