package io.evenkeel.kube.dispatch;

import io.evenkeel.engine.Command;
import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.api.Regarding;
import io.evenkeel.kube.dispatch.CommandSink.DispatcherView;
import io.evenkeel.kube.dispatch.CommandSink.Unfinished;
import io.evenkeel.kube.dispatch.Dispatcher.DispatcherSettings;
import io.evenkeel.kube.dispatch.EventTask.Occurrence;
import io.evenkeel.kube.dispatch.EventTask.SeriesEnd;
import io.evenkeel.kube.dispatch.Job.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The plan, and the lock under which threads add to it, take from it and wait for it. It is held only to look at the plan,
 * never during a call, so the engine's thread waits for microseconds.
 */
final class SharedPlan {
    /** Not longer for what only tells of pods: the next leader waits for the Lease meanwhile. */
    private static final long WAIT_FOR_WORDS = TimeUnit.SECONDS.toNanos(3);

    private static final long BETWEEN_LOOKS_AT_SERIES = TimeUnit.MINUTES.toNanos(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final DispatchPlan plan;
    private final Clocks clocks;
    private final Function<Instant, List<SeriesEnd>> finishedSeries;
    private boolean closed;
    private long lookedAtSeries;
    private Instant lastEvent = Instant.EPOCH;
    private boolean mayStart;
    private long mayStartFrom;

    /**
     * A plan to be shared.
     *
     * @param finishedSeries takes the series of events that have ended until a time, so that their last count is written
     */
    SharedPlan(
            DispatcherSettings settings,
            Clocks clocks,
            DispatcherObserver observer,
            Function<Instant, List<SeriesEnd>> finishedSeries) {
        this.clocks = clocks;
        this.finishedSeries = finishedSeries;
        lookedAtSeries = now();
        plan = new DispatchPlan(settings, clocks.random(), observer, lookedAtSeries);
    }

    /** False, and nothing is taken, if it is closed. */
    boolean add(Command.AtServer command) {
        return changing(() -> {
            if (!closed) {
                plan.add(command, now());
            }
            return !closed;
        });
    }

    /** False, and nothing is taken, if it is closed. */
    boolean add(Regarding regarding, ObjectEvent event) {
        return changing(() -> {
            if (!closed) {
                plan.add(new Occurrence(regarding, event, timeOfEvent()), now());
            }
            return !closed;
        });
    }

    /** Never the same twice, as events are named after it. */
    private Instant timeOfEvent() {
        Instant now = clocks.time().instant();
        lastEvent = now.isAfter(lastEvent) ? now : lastEvent.plusNanos(1);
        return lastEvent;
    }

    /** Returns the job with its turn now, if one may start. */
    Optional<Job> take() {
        return locked(() -> {
            lookAtSeries();
            Optional<Job> job = closed ? Optional.empty() : plan.take(now());
            if (job.isPresent()) {
                mayStartFrom = now();
            }
            return job;
        });
    }

    private void lookAtSeries() {
        if (now() - lookedAtSeries >= BETWEEN_LOOKS_AT_SERIES) {
            lookedAtSeries = now();
            for (SeriesEnd end : finishedSeries.apply(clocks.time().instant())) {
                plan.add(end, now());
            }
        }
    }

    /** The job's step has ended: room for others, though not yet on its pod. */
    void ended(Job job) {
        changing(() -> {
            plan.ended(job);
            return true;
        });
    }

    /** The result of the step has been delivered: the next command for the job's pod may start. */
    void settle(Job job, Outcome outcome) {
        changing(() -> {
            plan.settle(job, outcome, now());
            return true;
        });
    }

    /** Nanoseconds until there may be more to take if nothing else happens. */
    long nanosUntilNext() {
        return locked(() -> Math.min(nanosUntilStart(), Math.max(0, lookedAtSeries + BETWEEN_LOOKS_AT_SERIES - now())));
    }

    private long nanosUntilStart() {
        long now = now();
        long nanos = plan.nanosUntilNext(now);
        if (nanos > 0) {
            mayStart = nanos != Long.MAX_VALUE;
            mayStartFrom = now + nanos;
        } else {
            mayStartBy(now);
        }
        return nanos;
    }

    /** Until the plan is looked at, whatever has changed in it may be that a job may start. */
    private void mayStartBy(long now) {
        if (!mayStart || mayStartFrom - now > 0) {
            mayStart = true;
            mayStartFrom = now;
        }
    }

    /**
     * For how long there has been a job that nothing holds back, and none was taken. Moments, where all is well: each
     * change wakes the taker of jobs, or it waits no longer than it was told.
     */
    Duration overdue() {
        return locked(() -> closed || nanosUntilStart() > 0 ? Duration.ZERO : Duration.ofNanos(now() - mayStartFrom));
    }

    /** Waits until there may be something to take, or for as long as that; false if there never will be again. */
    boolean awaitWork(long longestWait) {
        lock.lock();
        try {
            long left = longestWait;
            long wait = Math.min(left, nanosUntilNext());
            while (!closed && wait > 0) {
                left -= wait - changed.awaitNanos(wait);
                wait = Math.min(left, nanosUntilNext());
            }
            return !closed;
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** As {@link CommandSink#drain}. */
    boolean drain(Duration time) throws InterruptedException {
        long begin = now();
        long lastBinding = begin;
        lock.lock();
        try {
            while (!closed && plan.hasAny()) {
                long now = now();
                lastBinding = plan.hasBindings() ? now : lastBinding;
                long left = Math.min(time.toNanos() - (now - begin), WAIT_FOR_WORDS - (now - lastBinding));
                if (left <= 0) {
                    return false;
                }
                changed.awaitNanos(left);
            }
            return !plan.hasAny();
        } finally {
            lock.unlock();
        }
    }

    Unfinished unfinished() {
        return locked(plan::unfinished);
    }

    DispatcherView view() {
        return locked(plan::view);
    }

    void close() {
        changing(() -> closed = true);
    }

    private long now() {
        return clocks.nanos().getAsLong();
    }

    private boolean changing(BooleanSupplier change) {
        return locked(() -> {
            boolean answer = change.getAsBoolean();
            mayStartBy(now());
            changed.signalAll();
            return answer;
        });
    }

    private <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }
}
