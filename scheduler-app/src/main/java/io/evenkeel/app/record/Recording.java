package io.evenkeel.app.record;

import io.evenkeel.app.metrics.LiveMetrics.RecordCounts;
import io.evenkeel.app.record.RecordFiles.Disk;
import io.evenkeel.app.record.RecordFlags.RecordOptions;
import io.evenkeel.app.record.Said.DecisionHash;
import io.evenkeel.app.record.SegmentHeader.RunSettings;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.Machine.Loop;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.ObjectWriter;
import java.io.IOException;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A run that is recorded: the engine's side, and the thread that writes. */
public final class Recording implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Recording.class);
    private static final int MOST_BATCHES = 256;
    private static final long PATIENCE_SECONDS = 5;
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

    private final RecordOptions options;
    private final Machine machine;
    private final long seed;
    private final Handover handover = new Handover(MOST_BATCHES);
    private final Recorder recorder = new Recorder(handover);
    private volatile Optional<RecordWriter> writer = Optional.empty();

    public Recording(RecordOptions options, Machine machine) {
        this.options = options;
        this.machine = machine;
        seed = machine.random().nextLong();
    }

    /** Is told of all that the engine takes in, on its thread. */
    public Recorder recorder() {
        return recorder;
    }

    /** Of the random numbers that the run is to be decided with. */
    public long seed() {
        return seed;
    }

    public RecordCounts counts() {
        return writer.map(RecordWriter::counts).orElse(RecordCounts.NONE);
    }

    /** Begins to write; objects of these kinds are to come. */
    public void begin(RunSettings settings, List<Kind<?>> kinds) {
        kinds.forEach(Recording::warnIfUnwritable);
        RecordWriter begun = new RecordWriter(
                handover,
                new RecordFiles(
                        options,
                        Disk.REAL,
                        Kinds.IN_TREE.with(kinds),
                        machine.clocks().time(),
                        STAMP.format(machine.clocks().time().instant())),
                machine.clocks().nanos());
        log.atInfo()
                .setMessage("Recording")
                .addKeyValue("directory", options.directory())
                .addKeyValue("limit", options.limit())
                .log();
        begun.begin(settings, seed);
        writer = Optional.of(begun);
        machine.dedicated("recorder", begun).start();
    }

    private static void warnIfUnwritable(Kind<?> kind) {
        ObjectWriter.unwritable(kind)
                .ifPresent(field -> log.atWarn()
                        .setMessage("Kind cannot be recorded, a replay will not be exact")
                        .addKeyValue("kind", kind.name())
                        .addKeyValue("field", field)
                        .log());
    }

    /** Waits until all is written that was taken in, if the engine has ended. */
    @Override
    public void close() {
        try {
            if (writer.isPresent() && !writer.get().await(PATIENCE_SECONDS)) {
                log.warn("The record's end is not written");
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * The thread that writes a record. Where the disk fails, or the engine has not been followed, what came meanwhile is not
     * recorded; the record goes on in a new segment, which begins with all objects there are then.
     */
    static final class RecordWriter implements Loop {
        private static final Logger log = LoggerFactory.getLogger(RecordWriter.class);
        private static final long LONGEST_SLEEP = TimeUnit.MILLISECONDS.toNanos(250);
        private static final long BETWEEN_FLUSHES = TimeUnit.SECONDS.toNanos(1);
        private static final long BETWEEN_ATTEMPTS = TimeUnit.SECONDS.toNanos(30);

        private final Handover handover;
        private final RecordFiles files;
        private final LongSupplier clock;
        private final CountDownLatch done = new CountDownLatch(1);
        private final AtomicLong events = new AtomicLong();
        private final DecisionHash hash = new DecisionHash();
        private boolean told;
        private boolean ended;
        private long lostBefore;
        private long flushedAt;
        private long failedAt;
        private long time;

        RecordWriter(Handover handover, RecordFiles files, LongSupplier clock) {
            this.handover = handover;
            this.files = files;
            this.clock = clock;
        }

        RecordCounts counts() {
            return new RecordCounts(events.get(), files.bytes(), handover.lost());
        }

        /** Begins the first segment; where that cannot be, the record begins later, with what is there then. */
        void begin(RunSettings settings, long seed) {
            time = clock.getAsLong();
            flushedAt = time;
            try {
                files.begin(settings, seed, time);
            } catch (IOException failed) {
                fail(files.problem(failed));
            }
        }

        /** Waits until all that was handed over is written. */
        boolean await(long seconds) throws InterruptedException {
            return done.await(seconds, TimeUnit.SECONDS);
        }

        @Override
        public boolean turn(long longestWait) {
            try {
                Optional<Batch> next = handover.poll(Math.min(longestWait, nanosUntilNext()));
                next.ifPresent(this::take);
                if (handover.isAtEnd() && (ended || next.isEmpty())) {
                    finish();
                    return false;
                }
                idle();
                return true;
            } catch (InterruptedException asWished) {
                Thread.currentThread().interrupt();
                finish();
                return false;
            }
        }

        @Override
        public long nanosUntilNext() {
            return handover.hasFilled() ? 0 : LONGEST_SLEEP;
        }

        private void finish() {
            end(Entry.Why.STOPPED);
            done.countDown();
        }

        private void take(Batch batch) {
            try {
                if (batch.sort(0) == Batch.Sort.CHECKPOINT) {
                    resume(batch);
                }
                if (files.isOpen()) {
                    write(batch);
                    flushFull();
                } else {
                    handover.lose(batch.events());
                }
            } catch (IOException failed) {
                handover.lose(batch.events());
                fail(files.problem(failed));
            } catch (RuntimeException | Error fault) {
                handover.lose(batch.events());
                log.error("The recorder has failed", fault);
                fail(String.valueOf(fault));
            } finally {
                handover.giveBack(batch);
            }
        }

        private void write(Batch batch) throws IOException {
            for (int at = 0; at < batch.size(); at++) {
                flushFull();
                switch (batch.sort(at)) {
                    case EVENT -> {
                        rotate();
                        files.write(new Entry.Took((SchedulerEvent) batch.nextReference()));
                        events.incrementAndGet();
                    }
                    case TICKING -> {
                        rotate();
                        files.write(new Entry.Ticking());
                    }
                    case PLACING -> {
                        rotate();
                        files.write(new Entry.Placing());
                    }
                    case TIME -> {
                        time = batch.nextTime();
                        files.time(time);
                    }
                    case COMMAND -> {
                        Said said = Said.of((Command) batch.nextReference());
                        hash.add(said);
                        files.write(new Entry.Decided(said));
                    }
                    case NOT_SENT -> files.write(Entry.NotSent.of((Throwable) batch.nextReference()));
                    case CHECKPOINT -> {}
                    case END -> ended = true;
                }
            }
        }

        private void rotate() throws IOException {
            if (files.isFull()) {
                files.write(new Entry.Hash(hash.value()));
                files.rotate(time, events.get(), hash);
            }
        }

        /** However much is in a batch, a frame ends with the entry that fills it. */
        private void flushFull() throws IOException {
            if (files.isFrameFull()) {
                flush();
            }
        }

        private void flush() throws IOException {
            files.write(new Entry.Hash(hash.value()));
            files.flush();
            flushedAt = clock.getAsLong();
        }

        private void idle() {
            try {
                long now = clock.getAsLong();
                if (files.isOpen()) {
                    if (now - flushedAt >= BETWEEN_FLUSHES) {
                        flush();
                    }
                    if (handover.isInGap() && !handover.hasFilled()) {
                        failedAt = now;
                        tell("The disk is slower than the engine");
                        end(Entry.Why.GAP);
                    }
                } else if (handover.isInGap() && now - failedAt >= BETWEEN_ATTEMPTS) {
                    handover.wantCheckpoint();
                }
            } catch (IOException failed) {
                fail(files.problem(failed));
            }
        }

        private void resume(Batch batch) throws IOException {
            time = batch.time();
            @SuppressWarnings("unchecked") // nothing else is handed over as a checkpoint
            List<KubernetesObject> objects = (List<KubernetesObject>) batch.nextReference();
            files.resume(time, events.get(), hash, objects);
            log.atInfo()
                    .setMessage("Recording goes on")
                    .addKeyValue("file", files.current())
                    .addKeyValue("eventsNotRecorded", handover.lost() - lostBefore)
                    .log();
            lostBefore = handover.lost();
            told = false;
        }

        /** Fails: the engine's events are lost until the next attempt. */
        private void fail(String reason) {
            tell(reason);
            failedAt = clock.getAsLong();
            files.abandon();
            handover.beginGap();
        }

        private void tell(String reason) {
            if (!told) {
                told = true;
                log.atWarn()
                        .setMessage("Recording has a gap")
                        .addKeyValue("reason", reason)
                        .log();
            }
        }

        private void end(Entry.Why why) {
            try {
                if (files.isOpen()) {
                    files.write(new Entry.Hash(hash.value()));
                    files.end(why);
                }
            } catch (IOException failed) {
                tell(files.problem(failed));
                files.abandon();
            }
        }
    }
}
