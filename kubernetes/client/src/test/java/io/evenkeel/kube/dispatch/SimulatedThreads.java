package io.evenkeel.kube.dispatch;

import io.evenkeel.kube.api.Clocks;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Steps that take simulated time, on one real thread: each runs when the clock has come to its end. */
final class SimulatedThreads implements Executor {
    private record Step(long at, long order, Runnable run) {}

    private final PriorityQueue<Step> steps =
            new PriorityQueue<>(Comparator.comparingLong(Step::at).thenComparingLong(Step::order));
    private final LongSupplier durations;
    private final Instant begin = Instant.parse("2026-01-01T00:00:00Z");
    // Close to an overflow, as System.nanoTime may be.
    private final long origin = Long.MAX_VALUE - 1_000_000;
    private long now;
    private long order;

    SimulatedThreads(LongSupplier durations) {
        this.durations = durations;
    }

    Clocks clocks(Random random) {
        return new Clocks(() -> origin + now, this::time, random);
    }

    Instant time() {
        return begin.plusNanos(now);
    }

    long now() {
        return now;
    }

    int underway() {
        return steps.size();
    }

    @Override
    public void execute(Runnable run) {
        steps.add(new Step(now + durations.getAsLong(), order++, run));
    }

    /** Lets time go by in which nobody does anything. */
    void standStill(Duration time) {
        now += time.toNanos();
    }

    /** Lets the dispatcher work for a time. */
    void pass(Dispatcher dispatcher, Duration time) {
        long end = now + time.toNanos();
        while (true) {
            dispatcher.startAll();
            @Nullable Step next = steps.peek();
            long idle = dispatcher.nanosUntilNext();
            long until = Math.min(next == null ? Long.MAX_VALUE : next.at(), now + idle);
            if (until > end) {
                now = end;
                return;
            }
            now = until;
            if (next != null && next.at() <= now) {
                steps.remove();
                next.run().run();
            }
        }
    }
}
