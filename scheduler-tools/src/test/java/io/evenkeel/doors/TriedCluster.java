package io.evenkeel.doors;

import io.evenkeel.census.Census;
import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.WriteFailure;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.SchedulerSettings.EngineLimits;
import io.evenkeel.engine.decision.NodeChoice.AtRandom;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.decode.ProtobufDecoder;
import io.evenkeel.model.decode.Values;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.write.ObjectWriter;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

/** A scheduler of a cluster with ordinary nodes and pods, in which somebody opens doors and closes them again. */
final class TriedCluster {
    private static final int PROBES = 10;

    /** After which nobody is around any more for whom a costly namespace would have to rest. */
    private static final long LONG_AFTER = TimeUnit.MINUTES.toNanos(2);

    private static final String CONFIGURATION = """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        profiles:
        - plugins:
            multiPoint:
              enabled: [{name: PlacementPolicy}, {name: GroupPlacement}, {name: GangScheduling}, {name: Coscheduling}]
        """;

    /**
     * What it took to open a door.
     *
     * @param bytes of all objects in JSON
     * @param work to take them in, to decide pods with them, and to take them out
     * @param there of heap, while they are there; 0 where it was not looked at
     * @param left of it, once they are gone
     * @param usual the work for an ordinary pod of somebody else
     * @param besides the same while they are there
     */
    record Cost(String door, int objects, long bytes, long work, long there, long left, long usual, long besides) {
        Cost and(Cost other) {
            return new Cost(
                    door,
                    objects + other.objects,
                    bytes + other.bytes,
                    work + other.work,
                    there + other.there,
                    Math.max(left, other.left),
                    Math.max(usual, other.usual),
                    Math.max(besides, other.besides));
        }

        @Override
        public String toString() {
            return "| %s | %.1f MB | %.1f | %.1f MB | %.2f | %d of %d |"
                    .formatted(
                            door,
                            there / 1e6 / objects,
                            (double) there / bytes,
                            left / 1e6,
                            (double) work / bytes,
                            besides,
                            usual);
        }
    }

    private final Queue<Command> commands = new ArrayDeque<>();
    private final Map<String, Command.WriteObject> unanswered = new HashMap<>();
    private final Queue<KubernetesObject> opened = new ArrayDeque<>();
    private final ObjectReader json = new ObjectReader();
    private final ProtobufDecoder protobuf = new ProtobufDecoder();
    private final ObjectWriter writer = new ObjectWriter();
    private final AtomicLong now = new AtomicLong();
    private final Scheduler scheduler;
    private final ToLongFunction<Scheduler> size;
    private final int nodes;
    private int made;
    /** When the last door was closed; 0 where it was not looked at. */
    private long settledSize;

    /** One that keeps what it usually does, of which the heap is looked at. */
    TriedCluster(int nodes) {
        this(nodes, EngineLimits.USUAL, _ -> heap());
    }

    /** One that keeps nothing which only saves work, of which everything that is kept is counted. */
    static TriedCluster counted(int nodes) {
        EngineLimits limits =
                new EngineLimits(EngineLimits.USUAL.mostBindings(), ClusterLimits.LEAST, EngineLimits.USUAL.hints());
        return new TriedCluster(nodes, limits, scheduler -> Census.of(scheduler).total());
    }

    private TriedCluster(int nodes, EngineLimits limits, ToLongFunction<Scheduler> size) {
        this.nodes = nodes;
        this.size = size;
        scheduler = new Scheduler(
                new ConfigurationReader().read("doors", CONFIGURATION),
                InTreePlugins.registry(),
                new AtRandom(new SplittableRandom(1)),
                SchedulerSettings.of(0)
                        .withLongestUnschedulable(Duration.ofDays(9_999))
                        .within(limits),
                commands::add,
                SchedulerObserver.NONE,
                now::incrementAndGet);
        scheduler.watchedKinds().forEach(kind -> scheduler.handle(new Relist.Began(kind.name())));
        scheduler.watchedKinds().forEach(kind -> scheduler.handle(new Relist.Ended(kind.name())));
        for (int i = 0; i < nodes; i++) {
            put(NodeBuilder.node("node-" + i)
                    .zone("zone-" + i % 3)
                    .label("kubernetes.io/hostname", "node-" + i)
                    .label("kubernetes.io/arch", "amd64")
                    .label("node.kubernetes.io/instance-type", "m" + i % 5)
                    .label("pool", "pool-" + i % 10)
                    .allocatable("cpu", "64", "memory", "256Gi", "pods", "250", "ephemeral-storage", "1Ti")
                    .build());
        }
        for (int i = 0; i < nodes / 2; i++) {
            put(ordinary());
        }
        settle();
    }

    /** Of one of five workloads: plain, spread by zone and host, spread strictly, apart from its like, near to others. */
    private Pod ordinary() {
        int number = made++;
        String app = "app-" + number % 5;
        String selector = "\"labelSelector\": {\"matchLabels\": {\"app\": \"" + app + "\"}}";
        return (Pod) json.read("""
            {"apiVersion": "v1", "kind": "Pod",
             "metadata": {"namespace": "shop", "name": "%s-%d", "uid": "%2$d",
               "labels": {"app": "%1$s", "pod-template-hash": "7d4b9c"}},
             "spec": {%3$s, "containers": [{"name": "main", "image": "registry.example/%1$s:1",
               "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}}}]}}
            """.formatted(app, number, rules(number % 5, selector)));
    }

    private static String rules(int workload, String selector) {
        String byZone = "{\"topologyKey\": \"topology.kubernetes.io/zone\", \"maxSkew\": 1, " + selector
                + ", \"whenUnsatisfiable\": \"%s\"}";
        String byHost = "\"topologyKey\": \"kubernetes.io/hostname\", " + selector;
        return switch (workload) {
            case 1 ->
                "\"topologySpreadConstraints\": [" + byZone.formatted("ScheduleAnyway")
                        + ", {\"maxSkew\": 1, \"whenUnsatisfiable\": \"ScheduleAnyway\", " + byHost + "}]";
            case 2 -> "\"topologySpreadConstraints\": [" + byZone.formatted("DoNotSchedule") + "]";
            case 3 ->
                "\"affinity\": {\"podAntiAffinity\": {\"requiredDuringSchedulingIgnoredDuringExecution\": [{" + byHost
                        + "}]}}";
            case 4 ->
                "\"nodeSelector\": {\"pool\": \"pool-1\"}, \"affinity\": {\"podAffinity\":"
                        + " {\"preferredDuringSchedulingIgnoredDuringExecution\": [{\"weight\": 1, \"podAffinityTerm\": {"
                        + byHost + "}}]}}";
            default -> "\"priority\": 0";
        };
    }

    /** Opens a door and closes it again, and looks at the work alone. What has grown by that is there before the next is opened. */
    Cost work(Door door, int objects, int characters) {
        settledSize = 0;
        return open(door, objects, characters, false);
    }

    /** The same, and looks at the heap and at others, too. */
    Cost all(Door door, int objects, int characters) {
        return open(door, objects, characters, true);
    }

    /** Where its pods wait, and where they are in place. */
    private Cost open(Door door, int objects, int characters, boolean isWide) {
        Cost waiting = open(door, objects, characters, isWide, false);
        return door.isOfPods() ? waiting.and(open(door, objects, characters, isWide, true)) : waiting;
    }

    private Cost open(Door door, int objects, int characters, boolean isWide, boolean arePlaced) {
        long usual = probe();
        if (isWide && settledSize == 0) {
            settledSize = size.applyAsLong(scheduler);
        }
        long began = units();
        long bytes = 0;
        for (int i = 0; i < objects; i++) {
            bytes += put(door, arePlaced, characters, i % 2 == 1);
        }
        long work = units() - began;
        long there = isWide ? size.applyAsLong(scheduler) - settledSize : 0;
        long besides = probe();
        began = units();
        for (KubernetesObject object = opened.poll(); object != null; object = opened.poll()) {
            remove(object);
            settleLongAfter();
        }
        work += units() - began;
        long left = 0;
        if (isWide) {
            long before = settledSize;
            settledSize = size.applyAsLong(scheduler);
            left = settledSize - before;
        }
        return new Cost(door.name(), objects, bytes, work, there, left, usual, besides);
    }

    /** Puts many small objects with what makes them count, decides all pods, and removes all again. */
    void many(Door door, int objects, boolean arePlaced) {
        for (int i = 0; i < objects; i++) {
            putNext(door, arePlaced, 0, i % 2 == 1);
        }
        settleLongAfter();
        close();
    }

    /** Puts an object, other versions of it one after the other, and removes it again. */
    void versions(Door door, int versions, boolean isPlaced) {
        String name = "u" + made++;
        Optional<String> node = isPlaced ? Optional.of("node-1") : Optional.empty();
        for (int i = 0; i < versions; i++) {
            KubernetesObject version = json.read(door.version(name, "u" + made++, 100, node));
            put(version);
            settleLongAfter();
            if (i == 0) {
                opened.add(version);
            }
        }
        close();
    }

    Census census() {
        return Census.of(scheduler);
    }

    /** Reads so many pods with names, amounts and lists of these that no other has. */
    void read(int pods) {
        for (int i = 0; i < pods; i++) {
            int number = made++;
            protobuf(Kinds.POD, writer.protobuf(json.read("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "door", "name": "p%1$d",
                  "labels": {"door.example/p%1$d": "v%1$d"}},
                 "spec": {"containers": [{"name": "main", "resources": {"requests": {"cpu": "%1$d"}}}]}}
                """.formatted(number))));
        }
    }

    Census readers() {
        return Census.of(json, protobuf);
    }

    /** A Service that comes and goes has forgotten what was remembered of others. */
    private void close() {
        for (KubernetesObject object = opened.poll(); object != null; object = opened.poll()) {
            remove(object);
        }
        settleLongAfter();
        KubernetesObject service = json.read(
                "{\"apiVersion\": \"v1\", \"kind\": \"Service\", \"metadata\": {\"namespace\": \"shop\", \"name\":"
                        + " \"none\"}}");
        put(service);
        remove(service);
    }

    private long units() {
        return scheduler.cluster().work().units();
    }

    /** In use without garbage, some of which collectors do not bother to move: every fourth time they do. */
    static long heap() {
        Runtime runtime = Runtime.getRuntime();
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
        }
        return used;
    }

    /** In one encoding or the other, as a server may send both of its own kinds. */
    private int put(Door door, boolean isPlaced, int characters, boolean inProtobuf) {
        int length = putNext(door, isPlaced, characters, inProtobuf);
        settleLongAfter();
        return length;
    }

    private int putNext(Door door, boolean isPlaced, int characters, boolean inProtobuf) {
        String unique = "u" + made++;
        String text =
                door.object(unique, characters, isPlaced ? Optional.of("node-" + made % nodes) : Optional.empty());
        KubernetesObject read = json.read(text);
        boolean isCustom =
                door.kind().group().contains("evenkeel") || door.kind().group().contains("x-k8s.io");
        KubernetesObject put = inProtobuf && !isCustom ? protobuf(door.kind(), writer.protobuf(read)) : read;
        opened.add(put);
        put(put);
        if (!door.isOfPods()) {
            door.others(unique).values().forEach(other -> {
                KubernetesObject made = json.read(other);
                opened.add(made);
                put(made);
            });
        }
        return text.length();
    }

    private KubernetesObject protobuf(Kind<?> kind, byte[] bytes) {
        Values values = protobuf.values(kind.table(), new ProtobufCursor(bytes, 0, bytes.length));
        return kind.make(values.get(Metadata.FIELD), values);
    }

    private void put(KubernetesObject object) {
        scheduler.handle(new ClusterEvent.Put(object));
    }

    /** What is written for a pod is answered when it is gone. */
    private void remove(KubernetesObject object) {
        scheduler.handle(new ClusterEvent.Removed(object));
        Command.WriteObject write = unanswered.remove(object.meta().uid());
        if (write != null) {
            scheduler.handle(new CommandResult.NotWritten(write.pod(), WriteFailure.FAILED, "refused"));
        }
    }

    /** The same once nobody rests or backs off any more. */
    private void settleLongAfter() {
        now.addAndGet(LONG_AFTER);
        scheduler.tick();
        settle();
        QueueCounts left = scheduler.queue().counts();
        if (left.active() + left.backoff() > 0) {
            throw new IllegalStateException("not decided: " + left);
        }
    }

    /** Until there is nothing to decide now. */
    private void settle() {
        while (scheduler.scheduleNext()) {
            answer();
        }
        scheduler.tick();
        answer();
    }

    private void answer() {
        for (Command command = commands.poll(); command != null; command = commands.poll()) {
            if (command instanceof Command.Bind bind) {
                scheduler.handle(new CommandResult.Bound(bind.pod(), bind.node()));
                put(PodBuilder.from(bind.pod()).nodeName(bind.node()).build());
            } else if (command instanceof Command.WriteObject write) {
                unanswered.put(write.pod().meta().uid(), write);
            }
        }
    }

    /** Places some ordinary pods, takes them away again, and answers what one takes. */
    private long probe() {
        long began = units();
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < PROBES; i++) {
            Pod pod = ordinary();
            pods.add(pod);
            put(pod);
            settle();
        }
        pods.forEach(this::remove);
        settle();
        return (units() - began) / PROBES;
    }
}
