package io.evenkeel.tools.why;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonSyntaxException;
import io.evenkeel.app.companion.AskedCluster.Parted;
import io.evenkeel.app.companion.AskedCluster.Parted.Holder;
import io.evenkeel.config.Profile;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.NoAnswer;
import io.evenkeel.shard.ShardMap;
import io.evenkeel.tools.why.ClusterQuestions.Attendance;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The leases by which schedulers are at work. A replica that leads renews its lease every few seconds; how late one is, is told by
 * the leases of others, as this machine's clock may be wrong, and where there are none by that.
 */
public final class SchedulerLeases {
    private static final String PATH = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
    private static final String KUBE_SCHEDULER = "kube-scheduler";
    /** Four of the usual terms. */
    private static final Duration LATE = Duration.ofMinutes(1);

    private static final int USUAL_TERM_SECONDS = 15;

    private static final String SHARDS = "evenkeel.io/shards";
    private static final String OF_SHARD = "-shard-";
    /** That of a shard says its number there, and its map too. */
    private static final String LABEL = "evenkeel.io/shard";
    /** Stands behind the name of a replica's host, which in a cluster is its pod's. */
    private static final Pattern UUID = Pattern.compile("_[^_]*$");

    /**
     * @param renewed the earliest of all where that is not said
     * @param termSeconds for how long after that it is held
     * @param map by which nodes are parted among engines; empty where that is not said, and of a shard
     */
    private record Lease(String name, String holder, Instant renewed, int termSeconds, Optional<ShardMap> map) {
        boolean isOfScheduler() {
            return name.endsWith("scheduler") || name.contains(Profile.OWN_NAME);
        }

        /** Whether schedulers that answer to this name hold it, as they are usually configured. */
        boolean isOf(String schedulerName) {
            return switch (schedulerName) {
                case Profile.DEFAULT_SCHEDULER_NAME -> name.equals(KUBE_SCHEDULER);
                case Profile.OWN_NAME -> name.contains(Profile.OWN_NAME); // the chart's is called after its release
                default -> name.equals(schedulerName);
            };
        }

        String told() {
            return "the lease kube-system/" + name
                    + (holder.isEmpty() ? " is held by nobody" : " was renewed last at " + renewed + " by " + holder);
        }
    }

    private final ApiTransport transport;
    private final InstantSource clock;
    private final Map<String, Attendance> known = new HashMap<>();
    private final Map<String, Optional<EngineShards>> knownShards = new HashMap<>();
    private Optional<List<Lease>> listed = Optional.empty();

    public SchedulerLeases(ApiTransport transport, InstantSource clock) {
        this.transport = transport;
        this.clock = clock;
    }

    /** Those that are there now; empty where they cannot be listed. */
    static Optional<SchedulerLeases> read(ApiTransport transport, InstantSource clock) {
        SchedulerLeases read = new SchedulerLeases(transport, clock);
        try {
            read.list();
            return Optional.of(read);
        } catch (IOException unlisted) {
            return Optional.empty();
        }
    }

    /** Returns what is known of a scheduler by its name; found out once. */
    public Attendance of(String schedulerName) {
        return known.computeIfAbsent(schedulerName, this::find);
    }

    private Attendance find(String schedulerName) {
        List<Lease> all;
        try {
            all = list();
        } catch (IOException unlisted) {
            return unknown("the leases in kube-system cannot be listed: " + NoAnswer.why(unlisted));
        }
        List<Lease> ofSchedulers = all.stream().filter(Lease::isOfScheduler).toList();
        List<Lease> held =
                ofSchedulers.stream().filter(lease -> isHeld(lease, all)).toList();
        if (held.stream().anyMatch(lease -> lease.isOf(schedulerName))) {
            return new Attendance.AtWork();
        }
        Optional<Lease> own =
                ofSchedulers.stream().filter(lease -> lease.isOf(schedulerName)).findFirst();
        if (own.isEmpty() && !held.isEmpty()) {
            return new Attendance.Others();
        }
        if (!held.isEmpty()) {
            return unknown(
                    own.orElseThrow().told() + ", and that of another scheduler is held: " + held.getFirst().name);
        }
        return ofSchedulers.isEmpty()
                ? unknown("there is no lease of one in kube-system")
                : new Attendance.NoneAtWork("none is at work: "
                        + own.orElse(ofSchedulers.getFirst()).told());
    }

    private boolean isHeld(Lease lease, List<Lease> all) {
        return !lease.holder.isEmpty() && lease.renewed.isAfter(now(all).minus(LATE));
    }

    private Instant now(List<Lease> all) {
        return all.stream()
                .filter(other -> !other.isOfScheduler())
                .map(Lease::renewed)
                .max(Comparator.naturalOrder())
                .orElseGet(clock::instant);
    }

    /** The engines that share the work of a scheduler, by its name; empty where none are known, or it may be others. */
    public Optional<EngineShards> shardsOf(String schedulerName) {
        return knownShards.computeIfAbsent(schedulerName, this::findShards);
    }

    private Optional<EngineShards> findShards(String schedulerName) {
        List<Lease> all;
        try {
            all = list();
        } catch (IOException unlisted) {
            return Optional.empty();
        }
        List<Lease> overseers = all.stream()
                .filter(lease -> lease.isOfScheduler() && lease.map.isPresent())
                .toList();
        return overseers.stream()
                .filter(lease -> overseers.size() == 1 || lease.name.equals(schedulerName))
                .findFirst()
                .map(overseer -> shards(overseer, overseer.map.orElseThrow(), all));
    }

    private EngineShards shards(Lease overseer, ShardMap map, List<Lease> all) {
        Instant now = now(all);
        Map<String, Holder> holders = all.stream()
                .collect(Collectors.toMap(
                        Lease::name,
                        lease -> new Holder(
                                UUID.matcher(lease.holder).replaceFirst(""),
                                lease.renewed.plusSeconds(lease.termSeconds).isBefore(now))));
        return new EngineShards(
                map,
                holders.getOrDefault(overseer.name, Parted.NOBODY),
                IntStream.range(0, map.count())
                        .mapToObj(shard -> holders.getOrDefault(overseer.name + OF_SHARD + shard, Parted.NOBODY))
                        .toList());
    }

    private static Attendance unknown(String why) {
        return new Attendance.Unknown("whether a scheduler is at work is not known: " + why);
    }

    private List<Lease> list() throws IOException {
        if (listed.isEmpty()) {
            listed = Optional.of(listNow());
        }
        return listed.get();
    }

    private List<Lease> listNow() throws IOException {
        Answered answer = Answered.whole(transport, ApiCall.get(PATH));
        if (!answer.isSuccess()) {
            throw new IOException(answer.status().explanation());
        }
        try {
            List<Lease> leases = new ArrayList<>();
            for (JsonElement item : JsonParser.parseString(new String(answer.body(), StandardCharsets.UTF_8))
                    .getAsJsonObject()
                    .getAsJsonArray("items")) {
                leases.add(lease(item.getAsJsonObject()));
            }
            return leases;
        } catch (JsonSyntaxException
                | IllegalStateException
                | NullPointerException
                | NumberFormatException
                | DateTimeException malformed) {
            throw new IOException("the server's list of them cannot be understood", malformed);
        }
    }

    private static Lease lease(JsonObject lease) {
        JsonObject spec = object(lease, "spec");
        JsonObject metadata = lease.getAsJsonObject("metadata");
        boolean isOfShard = text(object(metadata, "labels"), LABEL).matches("\\d+");
        String renewed = text(spec, "renewTime");
        String term = text(spec, "leaseDurationSeconds");
        return new Lease(
                text(metadata, "name"),
                text(spec, "holderIdentity"),
                renewed.isEmpty() ? Instant.EPOCH : Instant.parse(renewed),
                term.isEmpty() ? USUAL_TERM_SECONDS : Integer.parseInt(term),
                isOfShard ? Optional.empty() : ShardMap.parse(text(object(metadata, "annotations"), SHARDS)));
    }

    private static JsonObject object(JsonObject parent, String field) {
        return parent.get(field) instanceof JsonObject given ? given : new JsonObject();
    }

    private static String text(JsonObject object, String field) {
        JsonElement value = object.get(field);
        return value == null || value.isJsonNull() ? "" : value.getAsString();
    }
}
