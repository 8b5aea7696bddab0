package io.evenkeel.app.record;

import io.evenkeel.app.record.RecordFiles.Disk;
import io.evenkeel.app.record.RecordFlags.RecordOptions;
import io.evenkeel.app.record.Recording.RecordWriter;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.OfPlace;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A scheduler at work in a small, crowded cluster of which everything is random: what comes, when, what becomes of its commands.
 * It is recorded, the writer's turns being taken now and then.
 */
final class RandomRun {
    static final int MANY = RecordedScheduler.MANY;
    private static final int NODES = 5;
    private static final List<OwnerReference> OWNERS = Stream.of("a", "b", "c")
            .map(name -> new OwnerReference("apps/v1", "ReplicaSet", name, "uid-of-" + name))
            .toList();

    final List<Command> commands = new ArrayList<>();
    final Handover handover;
    final RecordWriter writer;
    private final SplittableRandom random;
    private final RecordedScheduler recorded;
    private final Deque<SchedulerEvent> mail;
    private final Map<String, Pod> pods = new LinkedHashMap<>();
    private boolean holdsPlaces;
    private int created;

    RandomRun(long seed, RecordOptions options, int batches) {
        this(seed, options, batches, RecordedScheduler.SEED);
    }

    /** One whose record may lie of the seed that it decides with. */
    RandomRun(long seed, RecordOptions options, int batches, long recordedSeed) {
        this(seed, options, Disk.REAL, batches, recordedSeed);
    }

    RandomRun(long seed, RecordOptions options, Disk disk, int batches, long recordedSeed) {
        random = new SplittableRandom(seed);
        recorded = new RecordedScheduler(
                "run" + seed,
                random,
                options,
                disk,
                batches,
                recordedSeed,
                SchedulerConfiguration.defaults(),
                this::send);
        mail = recorded.mail;
        handover = recorded.handover;
        writer = recorded.writer;
    }

    static RandomRun recorded(long seed, Path directory) {
        return new RandomRun(seed, new RecordOptions(directory, RecordOptions.USUAL_LIMIT, "test"), MANY);
    }

    Scheduler scheduler() {
        return recorded.scheduler;
    }

    Instant time() {
        return recorded.time();
    }

    /** One in which places are held for pods to come. */
    RandomRun holdingPlaces() {
        holdsPlaces = true;
        return this;
    }

    RandomRun leavingOut(Predicate<SchedulerEvent> events) {
        recorded.leaveOut(events);
        return this;
    }

    void list() {
        recorded.scheduler.watchedKinds().forEach(kind -> mail.add(new Relist.Began(kind.name())));
        for (int i = 0; i < NODES; i++) {
            putNode(i);
        }
        recorded.scheduler.watchedKinds().forEach(kind -> mail.add(new Relist.Ended(kind.name())));
        recorded.turn();
    }

    /** Lets so many things happen while the writer takes none of them. */
    void playUnwritten(int steps) {
        recorded.write(false);
        play(steps);
        recorded.write(true);
    }

    /** Lets so many things happen. */
    void play(int steps) {
        for (int step = 0; step < steps; step++) {
            recorded.pass(random.nextLong(300_000_000L));
            switch (random.nextInt(12)) {
                case 0, 1, 2, 3 -> createPod();
                case 4 -> deletePod();
                case 5 -> putNode(random.nextInt(NODES));
                case 6 -> relist();
                case 7 -> recorded.pass(random.nextInt(8) == 0 ? 40_000_000_000L : 0);
                case 8 -> mail.add(new SchedulerEvent.Inquiry(_ -> {}));
                case 9 -> {
                    if (holdsPlaces) {
                        holdPlace();
                    }
                }
                default -> {}
            }
            recorded.turn();
        }
    }

    /** Lets time pass in which nothing happens. */
    void pass(Duration time) {
        recorded.pass(time.toNanos());
    }

    /** Ends it as a run should end. */
    void end() {
        recorded.end();
    }

    private void send(Command command) {
        commands.add(command);
        switch (command) {
            case Command.Bind(Pod pod, String node, var _) -> bind(pod, node);
            case Command.Evict(Pod pod, var _, var _) -> {
                mail.add(new CommandResult.Evicted(pod));
                Optional.ofNullable(pods.remove(pod.key())).ifPresent(gone -> mail.add(new ClusterEvent.Removed(gone)));
            }
            case Command.Lookup(Pod pod) ->
                mail.add(new CommandResult.Found(pod, Optional.ofNullable(pods.get(pod.key()))));
            case Command.PatchStatus patch -> {
                if (patch.conditions().isEmpty() && random.nextInt(4) == 0) {
                    throw new IllegalStateException("the dispatcher stumbles");
                }
            }
            default -> {}
        }
    }

    private void bind(Pod pod, String node) {
        Pod there = pods.get(pod.key());
        if (there == null) {
            mail.add(new CommandResult.NotBound(pod, node, BindFailure.GONE, "gone"));
            return;
        }
        switch (random.nextInt(10)) {
            case 0 -> mail.add(new CommandResult.NotBound(pod, node, BindFailure.FAILED, "no such luck"));
            case 1 -> mail.add(new CommandResult.NotBound(pod, node, BindFailure.UNKNOWN, "timeout"));
            default -> {
                Pod bound = PodBuilder.from(there).nodeName(node).build();
                pods.put(pod.key(), bound);
                mail.add(new CommandResult.Bound(pod, node));
                mail.add(new ClusterEvent.Put(bound));
            }
        }
    }

    private void createPod() {
        created++;
        PodBuilder pod = PodBuilder.pod("p" + created)
                .uid("uid-" + random.nextLong())
                .label("app", "app" + random.nextInt(3))
                .priority(random.nextInt(3))
                .container("cpu", Integer.toString(1 + random.nextInt(2)));
        if (random.nextInt(3) == 0) {
            LabelSelector same = LabelSelector.matchingLabels(Labels.of("app", "app0"));
            pod.podAffinity(new PodAffinity(
                    List.of(),
                    List.of(),
                    List.of(new PodAffinityTerm(same, "kubernetes.io/hostname", List.of(), LabelSelector.NOTHING)),
                    List.of()));
        }
        if (holdsPlaces) {
            pod.controller(OWNERS.get(created % OWNERS.size()));
        }
        Pod made = pod.schedulerName("default-scheduler").build();
        pods.put(made.key(), made);
        mail.add(new ClusterEvent.Put(made));
    }

    /** For the next pod of an owner, or no longer. */
    private void holdPlace() {
        List<Pod> placed = List.copyOf(recorded.scheduler.cluster().placedPods());
        if (!placed.isEmpty()) {
            Pod pod = placed.get(random.nextInt(placed.size()));
            mail.add(
                    random.nextInt(3) == 0
                            ? new OfPlace.Released(pod)
                            : new OfPlace.Held(pod, "n" + random.nextInt(NODES), Duration.ofSeconds(5)));
        }
    }

    private void deletePod() {
        List<Pod> all = List.copyOf(pods.values());
        if (!all.isEmpty()) {
            Pod gone = all.get(random.nextInt(all.size()));
            pods.remove(gone.key());
            mail.add(new ClusterEvent.Removed(gone));
        }
    }

    private void putNode(int number) {
        mail.add(new ClusterEvent.Put(NodeBuilder.node("n" + number)
                .hostname("n" + number)
                .zone("z" + number % 2)
                .allocatable("cpu", Integer.toString(3 + random.nextInt(3)), "memory", "8Gi", "pods", "110")
                .build()));
    }

    /** Of the pods that are gone meanwhile the engine hears by that alone. */
    private void relist() {
        mail.add(new Relist.Began("Pod"));
        if (random.nextBoolean()) {
            pods.values().stream()
                    .filter(_ -> random.nextInt(20) == 0)
                    .toList()
                    .forEach(gone -> pods.remove(gone.key()));
        }
        pods.values().forEach(pod -> mail.add(new ClusterEvent.Put(pod)));
        mail.add(new Relist.Ended("Pod"));
    }
}
