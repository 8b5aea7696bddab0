package io.evenkeel.app.record;

import io.evenkeel.app.companion.LoopObserver;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.decision.NodeChoice;
import io.evenkeel.engine.decision.NodeChoice.AtRandom;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The engine's side of the recorder: notes what the scheduler is called with, each look at the clock and each command, as
 * references, and hands these over to the thread that writes them. All on the engine's thread, which waits for nothing here and
 * encodes nothing.
 */
public final class Recorder implements LoopObserver {
    private static final int MANY = 512;
    private static final long LONG_AGO = TimeUnit.MILLISECONDS.toNanos(100);

    private final Handover handover;
    private final Set<String> beingListed = new HashSet<>();
    private Batch batch;
    private boolean inGap;
    private long now;
    private long handedOverAt;

    Recorder(Handover handover) {
        this.handover = handover;
        batch = handover.fresh();
    }

    /** The choice among the best nodes, which the seed decides: this generator is the same wherever Java runs. */
    public static NodeChoice choice(long seed) {
        return new AtRandom(new Random(seed));
    }

    /** Wraps the clock to record its readings. */
    public LongSupplier clock(LongSupplier clock) {
        return () -> {
            now = clock.getAsLong();
            if (!inGap) {
                batch.addTime(now);
                if (batch.isFull()) {
                    handOver();
                }
            }
            return now;
        };
    }

    /** Takes commands, and hands them on once they are noted. */
    public Consumer<Command> commands(Consumer<? super Command> next) {
        return command -> {
            add(Batch.Sort.COMMAND, command);
            try {
                next.accept(command);
            } catch (Throwable notSent) {
                add(Batch.Sort.NOT_SENT, notSent);
                throw notSent;
            }
        };
    }

    @Override
    public void taking(Scheduler scheduler, SchedulerEvent event) {
        switch (event) {
            case Relist.Began(String kind) -> beingListed.add(kind);
            case Relist.Ended(String kind, var _) -> beingListed.remove(kind);
            default -> {}
        }
        if (inGap) {
            handover.lose(1);
        } else {
            add(Batch.Sort.EVENT, event);
        }
    }

    @Override
    public void ticking() {
        add(Batch.Sort.TICKING);
    }

    @Override
    public void placing() {
        add(Batch.Sort.PLACING);
    }

    @Override
    public void turned(Scheduler scheduler, int events, long nanos) {
        if (inGap) {
            if (handover.isCheckpointWanted() && beingListed.isEmpty() && scheduler.isSynced()) {
                resume(scheduler);
            }
        } else if (handover.isInGap()) {
            giveUp();
        } else if (batch.size() >= MANY || (!batch.isEmpty() && now - handedOverAt >= LONG_AGO)) {
            handOver();
        }
    }

    /** After a gap it is asked again and again whether there is room for another record. */
    @Override
    public long nanosUntilNext(Scheduler scheduler) {
        if (inGap) {
            return LONG_AGO;
        }
        return batch.isEmpty() ? Long.MAX_VALUE : Math.max(1, LONG_AGO - (now - handedOverAt));
    }

    @Override
    public void ended() {
        if (!inGap) {
            batch.add(Batch.Sort.END);
            handOver();
        }
        handover.end();
    }

    /** Looks once at all objects, by reference, as for the copy that answers questions: only the engine has them all. */
    private void resume(Scheduler scheduler) {
        handover.endGap();
        inGap = false;
        batch.add(Batch.Sort.CHECKPOINT, scheduler.known());
        batch.addTime(now);
    }

    private void add(Batch.Sort sort) {
        if (!inGap) {
            batch.add(sort);
            if (batch.isFull()) {
                handOver();
            }
        }
    }

    private void add(Batch.Sort sort, Object reference) {
        if (!inGap) {
            batch.add(sort, reference);
            if (batch.isFull()) {
                handOver();
            }
        }
    }

    private void handOver() {
        handedOverAt = now;
        if (handover.offer(batch)) {
            batch = handover.fresh();
        } else {
            handover.beginGap();
            giveUp();
        }
    }

    private void giveUp() {
        inGap = true;
        handover.lose(batch.events());
        batch.clear();
    }
}
