package io.evenkeel.app.record;

import io.evenkeel.app.record.RecordDirectory.SegmentFile;
import io.evenkeel.app.record.RecordFiles.Disk;
import io.evenkeel.app.record.RecordFlags.RecordOptions;
import io.evenkeel.app.record.Recording.RecordWriter;
import io.evenkeel.app.record.SegmentHeader.RunSettings;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.plugins.InTreePlugins;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A scheduler that is recorded, called as the engine's loop calls it; the writer's turns are taken now and then. */
final class RecordedScheduler {
    static final Instant BEGIN = Instant.parse("2026-11-25T08:00:00Z");
    static final int MANY = 1 << 12;
    static final long SEED = 42;
    private static final long FIRST = 1_000;

    final Handover handover;
    final RecordWriter writer;
    final Scheduler scheduler;
    final Deque<SchedulerEvent> mail = new ArrayDeque<>();
    /** All objects by the events so far, as the writer knows them. */
    final ToldObjects told = new ToldObjects();

    private final SplittableRandom random;
    private final Recorder recorder;
    private Predicate<SchedulerEvent> leftOut = _ -> false;
    private long now = FIRST;
    private boolean isWriting = true;

    /** One whose record may lie of the seed that it decides with. */
    RecordedScheduler(
            String run,
            SplittableRandom random,
            RecordOptions options,
            Disk disk,
            int batches,
            long recordedSeed,
            SchedulerConfiguration configuration,
            Consumer<Command> taker) {
        this.random = random;
        handover = new Handover(batches);
        recorder = new Recorder(handover);
        SchedulerSettings settings = SchedulerSettings.of(0);
        scheduler = new Scheduler(
                configuration,
                InTreePlugins.registry(),
                Recorder.choice(SEED),
                settings,
                recorder.commands(taker),
                SchedulerObserver.NONE,
                recorder.clock(() -> now += 1 + random.nextInt(50)));
        Kinds kinds = Kinds.IN_TREE.with(scheduler.watchedKinds());
        writer = new RecordWriter(handover, new RecordFiles(options, disk, kinds, this::time, run), () -> now);
        writer.begin(
                new RunSettings(
                        options.version(),
                        configuration,
                        settings.awaiting(scheduler.watchedKinds()),
                        List.copyOf(InTreePlugins.registry().extensionPoints().keySet())),
                recordedSeed);
    }

    /** The time of day: the engine's clock by another beginning. */
    Instant time() {
        return BEGIN.plusNanos(now - FIRST);
    }

    /** The files of all runs there, the oldest first. */
    static List<Path> segments(Path directory) {
        return new RecordDirectory(directory)
                .runs().stream().flatMap(List::stream).map(SegmentFile::path).toList();
    }

    /** The recorder is not told of these events, though they come. */
    void leaveOut(Predicate<SchedulerEvent> events) {
        leftOut = events;
    }

    void pass(long nanos) {
        now += nanos;
    }

    /** Whether the writer takes what there is, now and then. */
    void write(boolean writing) {
        isWriting = writing;
    }

    /** As the engine's loop takes them: some of the mail, then what is due, then pods. */
    void turn() {
        int most = 1 + random.nextInt(6);
        for (SchedulerEvent event = mail.poll(); event != null; event = most-- > 0 ? mail.poll() : null) {
            if (!leftOut.test(event)) {
                recorder.taking(scheduler, event);
            }
            told.took(event);
            scheduler.handle(event);
        }
        recorder.ticking();
        scheduler.tick();
        boolean goesOn = true;
        while (goesOn) {
            recorder.placing();
            goesOn = scheduler.scheduleNext();
        }
        recorder.turned(scheduler, 0, 0);
        if (random.nextInt(4) == 0 && isWriting) {
            write();
        }
    }

    /** Lets the writer take what there is. */
    private void write() {
        while (handover.hasFilled()) {
            writer.turn(0);
        }
        writer.turn(0);
    }

    /** Ends it as a run should end. */
    void end() {
        recorder.ended();
        boolean goesOn = true;
        while (goesOn) {
            goesOn = writer.turn(0);
        }
    }
}
