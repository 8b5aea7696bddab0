package io.evenkeel.app.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.record.RecordFiles.Disk;
import io.evenkeel.app.record.RecordFlags.RecordOptions;
import io.evenkeel.app.record.Recording.RecordWriter;
import io.evenkeel.app.record.SegmentHeader.RunSettings;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.rerun.RecordReplay;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A day of churn in a cluster of 1,000 nodes, {@code -Devenkeel.record.events=1000000} long: what recording it costs, and whether
 * it is replayed to the same decisions. Prints what docs/record.md says.
 */
@EnabledIfSystemProperty(named = "evenkeel.record.events", matches = "[0-9]+")
class RecordedDayTest {
    private static final int EVENTS = Integer.getInteger("evenkeel.record.events", 0);
    private static final int NODES = 1_000;
    private static final int PODS = 10_000;
    private static final long SEED = 7;

    private final SplittableRandom random = new SplittableRandom(1);
    private final ObjectReader reader = new ObjectReader();
    private final Deque<SchedulerEvent> mail = new ArrayDeque<>();
    private final Deque<Pod> inPlace = new ArrayDeque<>();
    private final Handover handover = new Handover(256);
    private final Recorder recorder = new Recorder(handover);
    private Consumer<SchedulerEvent> taking = _ -> {};
    private Runnable ticking = () -> {};
    private Runnable placing = () -> {};
    private Consumer<Scheduler> turned = _ -> {};
    private long version;
    private long taken;

    @TempDir
    private Path directory;

    @Test
    void itsCostIsMeasured() throws IOException, InterruptedException {
        LongSupplier clock = System::nanoTime;
        double without = new RecordedDayTest().play(clock, Optional.empty());
        double with = new RecordedDayTest().play(clock, Optional.of(Files.createDirectory(directory.resolve("warm"))));
        without = Math.min(without, new RecordedDayTest().play(clock, Optional.empty()));
        with = Math.min(with, play(clock, Optional.of(directory)));
        long bytes = Files.size(RecordedScheduler.segments(directory).getFirst());
        long begin = System.nanoTime();
        RecordReplay replay = RecordReplay.run(directory, Optional.empty(), InTreePlugins.registry(), "test");
        System.out.printf(
                "%,d events, %,d not recorded: %.1f bytes an event; the engine's thread took %.2f us an event without a"
                        + " recorder, %.2f us with it; replayed in %.1f s%n%s%n",
                taken,
                handover.lost(),
                (double) bytes / taken,
                without / 1e3,
                with / 1e3,
                (System.nanoTime() - begin) / 1e9,
                String.join("\n", replay.lines()));
        assertThat(replay.isSame()).isTrue();
        assertThat(handover.lost()).isZero();
        begin = System.nanoTime();
        assertThat(OtherProcess.replay(directory)).isEqualTo(replay.lines().getLast());
        System.out.printf("Replayed the same in another process in %.1f s%n", (System.nanoTime() - begin) / 1e9);
    }

    /** Nanoseconds of the processor that an event has cost this thread. */
    private double play(LongSupplier clock, Optional<Path> there) throws InterruptedException {
        SchedulerConfiguration configuration = SchedulerConfiguration.defaults();
        SchedulerSettings settings = SchedulerSettings.of(0);
        Scheduler scheduler = new Scheduler(
                configuration,
                InTreePlugins.registry(),
                Recorder.choice(SEED),
                settings,
                there.isPresent() ? recorder.commands(this::send) : this::send,
                SchedulerObserver.NONE,
                there.isPresent() ? recorder.clock(clock) : clock);
        Thread writing = Thread.ofVirtual().unstarted(() -> {});
        if (there.isPresent()) {
            taking = event -> recorder.taking(scheduler, event);
            ticking = recorder::ticking;
            placing = recorder::placing;
            turned = of -> recorder.turned(of, 0, 0);
            RecordWriter writer = new RecordWriter(
                    handover,
                    new RecordFiles(
                            new RecordOptions(there.get(), 1L << 40, "test"),
                            Disk.REAL,
                            Kinds.IN_TREE,
                            InstantSource.system(),
                            "day"),
                    clock);
            writer.begin(
                    new RunSettings("test", configuration, settings.awaiting(scheduler.watchedKinds()), List.of()),
                    SEED);
            writing = Thread.ofPlatform().start(() -> {
                boolean goesOn = true;
                while (goesOn) {
                    goesOn = writer.turn(Long.MAX_VALUE);
                }
            });
        }
        list(scheduler);
        long cpu = 0;
        var threads = ManagementFactory.getThreadMXBean();
        while (taken < EVENTS) {
            for (int i = 0; i < 64; i++) {
                churn();
            }
            while (handover.hasFilled()) {
                Thread.sleep(
                        1); // what is measured is the engine's thread; the events come faster here than they ever will
            }
            long begin = threads.getCurrentThreadCpuTime();
            turn(scheduler);
            turn(scheduler);
            cpu += threads.getCurrentThreadCpuTime() - begin;
        }
        recorder.ended();
        writing.join();
        return (double) cpu / taken;
    }

    private void list(Scheduler scheduler) {
        scheduler.watchedKinds().forEach(kind -> mail.add(new Relist.Began(kind.name())));
        for (int i = 0; i < NODES; i++) {
            mail.add(new ClusterEvent.Put(NodeBuilder.node("ip-10-0-" + i / 250 + "-" + i % 250 + ".ec2.internal")
                    .hostname("ip-10-0-" + i / 250 + "-" + i % 250)
                    .zone("eu-west-1" + "abc".charAt(i % 3))
                    .allocatable("cpu", "16", "memory", "64Gi", "pods", "110")
                    .build()));
        }
        scheduler.watchedKinds().forEach(kind -> mail.add(new Relist.Ended(kind.name())));
        turn(scheduler);
    }

    private void turn(Scheduler scheduler) {
        for (int i = mail.size(); i > 0; i--) {
            SchedulerEvent event = mail.remove();
            taking.accept(event);
            scheduler.handle(event);
            taken++;
        }
        ticking.run();
        scheduler.tick();
        boolean goesOn = true;
        while (goesOn) {
            placing.run();
            goesOn = scheduler.scheduleNext();
        }
        turned.accept(scheduler);
    }

    /** A pod comes, one that is there changes, and the oldest goes. */
    private void churn() {
        mail.add(new ClusterEvent.Put(pod()));
        if (inPlace.size() > PODS) {
            mail.add(new ClusterEvent.Removed(inPlace.removeFirst()));
            Pod changed = inPlace.removeFirst();
            Pod again = versioned(changed);
            inPlace.addLast(again);
            mail.add(new ClusterEvent.Put(again));
        }
    }

    private Pod versioned(Pod pod) {
        ObjectMeta meta =
                pod.meta().withVersion(Long.toString(++version * 7), pod.meta().generation());
        return new Pod(meta, pod.spec(), pod.status());
    }

    private Pod pod() {
        int app = random.nextInt(200);
        String hash = Integer.toString(0x10000000 + app * 7919, 36);
        String name = "service-" + app + "-" + hash + "-" + Integer.toString(random.nextInt(36 * 36 * 36 * 36), 36);
        return (Pod) reader.read("""
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "team-%d", "name": "%s%d", "uid": "%s",
             "resourceVersion": "%d", "generation": 1, "creationTimestamp": "2026-11-25T08:%02d:%02dZ",
             "labels": {"app": "service-%d", "pod-template-hash": "%s", "tier": "backend"},
             "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "service-%d-%s",
              "uid": "%s", "controller": true}]},
             "spec": {"schedulerName": "default-scheduler", "priority": 0,
              "containers": [{"name": "main", "image": "registry.example.com/service-%d:1.%d",
               "resources": {"requests": {"cpu": "250m", "memory": "512Mi"}}}],
              "topologySpreadConstraints": [{"maxSkew": 5, "topologyKey": "topology.kubernetes.io/zone",
               "whenUnsatisfiable": "ScheduleAnyway", "labelSelector": {"matchLabels": {"app": "service-%d"}}}]}}
            """.formatted(
                        app % 20,
                        name,
                        version,
                        new UUID(random.nextLong(), random.nextLong()),
                        ++version * 7,
                        random.nextInt(60),
                        random.nextInt(60),
                        app,
                        hash,
                        app,
                        hash,
                        new UUID(app, app * 31L),
                        app,
                        app % 7,
                        app));
    }

    private void send(Command command) {
        if (command instanceof Command.Bind(Pod pod, String node, var _)) {
            Pod bound = versioned(PodBuilder.from(pod).nodeName(node).build());
            inPlace.addLast(bound);
            mail.add(new CommandResult.Bound(pod, node));
            mail.add(new ClusterEvent.Put(bound));
        }
    }
}
