package io.evenkeel.kube.dispatch;

import io.evenkeel.config.Difference;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.SchedulerConfiguration.ClientConnection;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.WriteFailure;
import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.ApiTransport.RateLimitDelay;
import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.api.EventSink.Regarding;
import io.evenkeel.kube.api.LogThrottle;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.Machine.Loop;
import io.evenkeel.kube.api.Machine.Sleeper;
import io.evenkeel.kube.dispatch.CommandSink.DispatcherView;
import io.evenkeel.kube.dispatch.CommandSink.Unfinished;
import io.evenkeel.kube.dispatch.DispatcherObserver.Drop;
import io.evenkeel.kube.dispatch.Job.EventTask.Occurrence;
import io.evenkeel.kube.dispatch.Job.EventTask.SeriesEnd;
import io.evenkeel.kube.dispatch.Job.Outcome;
import io.evenkeel.kube.extender.Extenders;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Carries out commands at the API server. One thread starts their steps, in the order and at the pace of the {@link DispatchPlan}: a
 * step that is done in a moment it takes itself, a call that the transport can begin it begins, and only the rest gets a virtual thread.
 *
 * <p>Threads add to the plan, take from it and wait for it under one lock. It is held only to look at the plan, never during a
 * call, so the engine's thread waits for microseconds.
 *
 * <p>Results are delivered before the pod's next command starts. For example, a pod is bound, and its
 * condition is patched right after, with one connection free:
 *
 * <pre>
 * thread       what it does                       the plan after it
 * engine       submit Bind p, PatchStatus p       p: bind ready to prepare, patch behind it
 * dispatcher   prepares bind                      p: bind ready to call
 * dispatcher   begins POST …/pods/p/binding       p busy, no connection free
 * transport    has the answer                     connection free, p still busy
 * transport    result Bound to the engine, then   p: patch ready to call
 * dispatcher   begins PATCH …/pods/p/status       p busy, no connection free
 * </pre>
 */
public final class Dispatcher implements CommandSink {
    /** Not longer for what only tells of pods: the next leader waits for the Lease meanwhile. */
    private static final long WAIT_FOR_WORDS = TimeUnit.SECONDS.toNanos(3);

    private static final long BETWEEN_LOOKS_AT_SERIES = TimeUnit.MINUTES.toNanos(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final DispatchPlan plan;
    private final Clocks clocks;
    private final Executor threads;
    private final CommandCarrier carrier;
    private final OutcomeDelivery delivery;
    private boolean closed;
    private long lookedAtSeries;
    private Instant lastEvent = Instant.EPOCH;
    private boolean mayStart;
    private long mayStartFrom;

    Dispatcher(
            DispatcherSettings settings,
            Clocks clocks,
            Executor threads,
            CommandCarrier carrier,
            Consumer<CommandResult> results,
            DispatcherObserver observer) {
        this.clocks = clocks;
        this.threads = threads;
        this.carrier = carrier;
        delivery = new OutcomeDelivery(results, observer, clocks.nanos());
        lookedAtSeries = now();
        plan = new DispatchPlan(settings, clocks.random(), observer, lookedAtSeries);
    }

    /**
     * A dispatcher at work.
     *
     * @param mayWrite whether the lease is held beyond doubt; asked right before each binding and status patch
     * @param results the engine's mailbox
     * @param identity names this replica in events
     * @param extenders may want to bind some of the pods
     */
    public static Dispatcher start(
            DispatcherSettings settings,
            ApiTransport transport,
            ObjectReader reader,
            BooleanSupplier mayWrite,
            Consumer<CommandResult> results,
            DispatcherObserver observer,
            String identity,
            Extenders extenders,
            Machine machine) {
        Clocks clocks = machine.clocks();
        CommandCarrier carrier =
                new CommandCarrier(transport, reader, mayWrite, clocks.time(), identity, extenders, settings.rebinds());
        Executor threads = step -> machine.thread("dispatch", step).start();
        Dispatcher dispatcher = new Dispatcher(settings, clocks, threads, carrier, results, observer);
        machine.thread("dispatcher", dispatcher.starts()).start();
        return dispatcher;
    }

    @Override
    public void submit(Command.AtServer command) {
        switch (command) {
            case Command.RecordEvent(var pod, var event) -> recordEvent(Regarding.pod(pod), event);
            case Command.RecordGroupEvent(var _, var kind, var group, var event) ->
                recordEvent(Regarding.object(kind, group), event);
            default -> {
                if (!adding(() -> plan.add(command, now()))) {
                    delivery.refuse(command);
                }
            }
        }
    }

    @Override
    public void recordEvent(Regarding regarding, ObjectEvent event) {
        if (!adding(() -> plan.add(new Occurrence(regarding, event, timeOfEvent()), now()))) {
            delivery.refuseEvent();
        }
    }

    private Loop starts() {
        return new Loop() {
            @Override
            public boolean turn(long longestWait) {
                boolean goesOn = awaitWork(longestWait);
                startAll();
                return goesOn;
            }

            @Override
            public long nanosUntilNext() {
                return Dispatcher.this.nanosUntilNext();
            }
        };
    }

    void startAll() {
        Optional<Job> next = take();
        while (next.isPresent()) {
            start(next.get());
            next = take();
        }
    }

    private void start(Job job) {
        if (carrier.isMomentary(job.work(), job.step())) {
            run(job);
        } else if (!begin(job)) {
            threads.execute(() -> run(job));
        }
    }

    private boolean begin(Job job) {
        long start = clocks.nanos().getAsLong();
        return RateLimitDelay.by(
                job.heldBack(),
                () -> carrier.begin(
                        job.work(), job.step(), job.attempts(), outcome -> finishBegun(job, outcome, start)));
    }

    /** Nanoseconds until there may be more to start if nothing else happens. */
    long nanosUntilNext() {
        return locked(() -> Math.min(nanosUntilStart(), Math.max(0, lookedAtSeries + BETWEEN_LOOKS_AT_SERIES - now())));
    }

    private void run(Job job) {
        long start = clocks.nanos().getAsLong();
        finish(
                job,
                RateLimitDelay.by(job.heldBack(), () -> carrier.carry(job.work(), job.step(), job.attempts())),
                start);
    }

    /** Finishes on a thread of the transport. That one is not missed if it ends, so a fault is thrown on one that is. */
    private void finishBegun(Job job, Outcome outcome, long start) {
        try {
            finish(job, outcome, start);
        } catch (RuntimeException | Error fault) {
            threads.execute(() -> {
                throw fault;
            });
        }
    }

    private void finish(Job job, Outcome outcome, long start) {
        delivery.ended(job, outcome, Duration.ofNanos(clocks.nanos().getAsLong() - start));
        changing(() -> {
            plan.ended(job);
            return true;
        });
        try {
            delivery.deliver(job, outcome);
        } finally {
            changing(() -> {
                plan.settle(job, outcome, now());
                return true;
            });
        }
    }

    /** Never the same twice, as events are named after it. */
    private Instant timeOfEvent() {
        Instant now = clocks.time().instant();
        lastEvent = now.isAfter(lastEvent) ? now : lastEvent.plusNanos(1);
        return lastEvent;
    }

    /** Returns the job with its turn now, if one may start. */
    private Optional<Job> take() {
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
            for (SeriesEnd end : carrier.finishedSeries(clocks.time().instant())) {
                plan.add(end, now());
            }
        }
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

    /** Moments, where all is well: each change wakes the taker of jobs, or it waits no longer than it was told. */
    @Override
    public Duration overdue() {
        return locked(() -> closed || nanosUntilStart() > 0 ? Duration.ZERO : Duration.ofNanos(now() - mayStartFrom));
    }

    /** Waits until there may be something to take, or for as long as that; false if there never will be again. */
    private boolean awaitWork(long longestWait) {
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

    @Override
    public boolean drain(Duration time, Sleeper sleeper) throws InterruptedException {
        long begin = now();
        long lastBinding = begin;
        while (locked(() -> !closed && plan.hasAny())) {
            long now = now();
            lastBinding = locked(plan::hasBindings) ? now : lastBinding;
            long left = Math.min(time.toNanos() - (now - begin), WAIT_FOR_WORDS - (now - lastBinding));
            if (left <= 0) {
                return false;
            }
            sleeper.sleep(Math.min(left, DRAIN_PAUSE));
        }
        return locked(() -> !plan.hasAny());
    }

    @Override
    public Unfinished unfinished() {
        return locked(plan::unfinished);
    }

    @Override
    public DispatcherView view() {
        return locked(plan::view);
    }

    @Override
    public void close() {
        changing(() -> closed = true);
    }

    private long now() {
        return clocks.nanos().getAsLong();
    }

    /** False, and nothing is taken, if it is closed. */
    private boolean adding(Runnable command) {
        return changing(() -> {
            if (!closed) {
                command.run();
            }
            return !closed;
        });
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

    /**
     * How much is asked of the server.
     *
     * @param parallelism how many calls may be underway at once
     * @param qps calls a second on average, and the same again for events; negative for no limit
     * @param burst how many calls may be made at once after a pause
     * @param keptEvents how many events may wait
     * @param rebinds whether a binding that fails for a moment only is asked for again
     */
    public record DispatcherSettings(int parallelism, float qps, int burst, int keptEvents, boolean rebinds) {
        /** A burst of pods is placed faster than its events may be written; each takes half a kilobyte meanwhile. */
        private static final int KEPT_EVENTS = 10_000;

        public DispatcherSettings {
            if (parallelism < 1 || keptEvents < 1) {
                throw new IllegalArgumentException(
                        "parallelism " + parallelism + " and kept events " + keptEvents + " must be positive");
            }
        }

        public static DispatcherSettings of(SchedulerConfiguration configuration) {
            ClientConnection connection = configuration.clientConnection();
            return new DispatcherSettings(
                    configuration.parallelism(),
                    connection.qps(),
                    connection.burst(),
                    KEPT_EVENTS,
                    configuration.featureGates().has(Difference.BINDINGS_ARE_RETRIED));
        }
    }

    /** Tells the engine, the metrics and the log what became of commands. */
    static final class OutcomeDelivery {
        private static final Logger log = LoggerFactory.getLogger(OutcomeDelivery.class);

        private static final Duration A_LINE = Duration.ofMinutes(1);

        private final Consumer<CommandResult> results;
        private final DispatcherObserver observer;
        private final LogThrottle givenUp;

        OutcomeDelivery(Consumer<CommandResult> results, DispatcherObserver observer, LongSupplier nanos) {
            this.results = results;
            this.observer = observer;
            this.givenUp = new LogThrottle(A_LINE, nanos);
        }

        void ended(Job job, Outcome outcome, Duration took) {
            if (job.step() == Job.Step.CALL && !(outcome instanceof Outcome.Held)) {
                observer.called(job.kind(), isSuccess(outcome), took);
            }
        }

        void deliver(Job job, Outcome outcome) {
            switch (outcome) {
                case Outcome.Done(CommandResult result) -> {
                    if (result instanceof CommandResult.NotWritten(var _, WriteFailure failure, String message)
                            && failure == WriteFailure.FAILED
                            && isOfPod(job)) {
                        tellGivenUp(job, message);
                    }
                    results.accept(result);
                }
                case Outcome.Bound(CommandResult.Bound result, Runnable postBind) -> {
                    results.accept(result);
                    try {
                        postBind.run();
                    } catch (RuntimeException unexpected) {
                        log.atError()
                                .setMessage("PostBind failed")
                                .addKeyValue("pod", result.pod().key())
                                .setCause(unexpected)
                                .log();
                    }
                }
                case Outcome.Dropped(Drop why, String message)
                when why == Drop.REFUSED || why == Drop.EXHAUSTED -> tellGivenUp(job, message);
                case Outcome.Dropped _, Outcome.Held _, Outcome.Silent _, Outcome.Folded _, Outcome.Prepared _ -> {}
                case Outcome.TryAgain(var _, String message) ->
                    line(log.atDebug(), "Write failed, retrying", job, message).log();
            }
        }

        /** What engines of shards tell each other of a pod: of all else that is awaited the pod itself tells. */
        private static boolean isOfPod(Job job) {
            return job.work() instanceof Job.OnPod(Command.WriteObject write)
                    && write.patch().kind().equals(Kinds.POD);
        }

        /** A server or webhook that refuses everything is one thing to tell, not as many as there are pods. */
        private void tellGivenUp(Job job, String why) {
            line(log.atDebug(), "Giving up a write", job, why).log();
            givenUp.count(writes -> line(log.atWarn(), "Write failed, giving up", job, why)
                    .addKeyValue("writes", writes)
                    .log());
        }

        private static LoggingEventBuilder line(LoggingEventBuilder level, String what, Job job, String why) {
            return level.setMessage(what)
                    .addKeyValue("write", job.kind())
                    .addKeyValue("about", job.work().key())
                    .addKeyValue("why", why);
        }

        private static boolean isSuccess(Outcome outcome) {
            return switch (outcome) {
                case Outcome.Done(CommandResult result) ->
                    result instanceof CommandResult.Found
                            || result instanceof CommandResult.Evicted
                            || result instanceof CommandResult.Written;
                case Outcome.Bound _, Outcome.Silent _, Outcome.Folded _, Outcome.Prepared _ -> true;
                case Outcome.TryAgain _, Outcome.Held _, Outcome.Dropped _ -> false;
            };
        }

        /** Answers a command that comes when nothing is started any more. */
        void refuse(Command.AtServer late) {
            String message = "the scheduler is shutting down";
            switch (late) {
                case Command.Bind(var pod, var node, var _) ->
                    results.accept(new CommandResult.NotBound(pod, node, CommandResult.BindFailure.FAILED, message));
                case Command.Lookup(var pod) -> results.accept(new CommandResult.LookupFailed(pod, message));
                case Command.Evict(var pod, var _, var _) ->
                    results.accept(new CommandResult.NotEvicted(pod, CommandResult.EvictionFailure.FAILED, message));
                case Command.WriteObject(var pod, var _, boolean awaited)
                when awaited -> results.accept(new CommandResult.NotWritten(pod, WriteFailure.FAILED, message));
                case Command.WriteObject _,
                        Command.PatchStatus _,
                        Command.PatchGroup _,
                        Command.RecordEvent _,
                        Command.RecordGroupEvent _ -> observer.dropped(CommandKind.of(late), Drop.CLOSED);
            }
        }

        void refuseEvent() {
            observer.dropped(CommandKind.RECORD_EVENT, Drop.CLOSED);
        }
    }
}
