package io.evenkeel.app.record;

import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Between the engine's thread, which never waits here, and the writer's. What is not taken in time is given up: then there is a
 * gap, until the writer has caught up and asks for a checkpoint, and the engine hands one over.
 *
 * <pre>
 *   engine     offer  offer  (full) gap          ...             resumed: a checkpoint   offer
 *   writer     poll                 poll, poll   wantsCheckpoint                         a new segment
 * </pre>
 */
final class Handover {
    private final BlockingQueue<Batch> filled;
    private final BlockingQueue<Batch> empty;
    private final AtomicLong lost = new AtomicLong();
    private volatile boolean gap;
    private volatile boolean checkpointWanted;
    private volatile boolean ended;

    /** @param batches how many may wait to be written */
    Handover(int batches) {
        filled = new ArrayBlockingQueue<>(batches);
        empty = new ArrayBlockingQueue<>(batches);
    }

    /** A batch to be filled. */
    Batch fresh() {
        Batch used = empty.poll();
        return used == null ? new Batch() : used;
    }

    /** Hands a batch over; false where there is no room for it. */
    boolean offer(Batch batch) {
        return filled.offer(batch);
    }

    /** Begins a gap in the record: nothing is handed over from now on. */
    void beginGap() {
        checkpointWanted = false;
        gap = true;
    }

    /** So many events were not handed over. */
    void lose(long events) {
        lost.addAndGet(events);
    }

    void endGap() {
        checkpointWanted = false;
        gap = false;
    }

    boolean isInGap() {
        return gap;
    }

    /** The writer could go on. */
    void wantCheckpoint() {
        checkpointWanted = true;
    }

    boolean isCheckpointWanted() {
        return checkpointWanted;
    }

    /** The engine takes nothing any more. */
    void end() {
        ended = true;
    }

    /** Whether all that will ever come has come. */
    boolean isAtEnd() {
        return ended && filled.isEmpty();
    }

    Optional<Batch> poll(long nanos) throws InterruptedException {
        return Optional.ofNullable(nanos > 0 ? filled.poll(nanos, TimeUnit.NANOSECONDS) : filled.poll());
    }

    /** The batch has been written. */
    void giveBack(Batch batch) {
        batch.clear();
        empty.offer(batch);
    }

    boolean hasFilled() {
        return !filled.isEmpty();
    }

    /** How many events are in no record. */
    long lost() {
        return lost.get();
    }
}
