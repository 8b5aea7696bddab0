package io.evenkeel.kube.dispatch;

import io.evenkeel.engine.Announcement;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.HeldBack;
import io.evenkeel.kube.dispatch.call.CommandCarrier;
import io.evenkeel.kube.dispatch.plan.CommandKind;
import io.evenkeel.kube.dispatch.plan.DispatchPlan;
import io.evenkeel.kube.dispatch.plan.DispatcherObserver;
import io.evenkeel.kube.dispatch.plan.DispatcherObserver.Drop;
import io.evenkeel.kube.dispatch.plan.DispatcherSettings;
import io.evenkeel.kube.dispatch.plan.DispatcherView;
import io.evenkeel.kube.dispatch.plan.Job;
import io.evenkeel.kube.dispatch.plan.Outcome;
import io.evenkeel.kube.dispatch.plan.Undone;
import io.evenkeel.kube.event.EventTask.Happening;
import io.evenkeel.kube.event.EventTask.SeriesEnd;
import io.evenkeel.kube.event.Regarding;
import io.evenkeel.model.read.ObjectReader;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Carries out commands at the API server, each step on a virtual thread of its own. One more thread starts them, in the
 * order and at the pace of the {@link DispatchPlan}; the lock is held only to look at the plan, never during a call, so
 * whoever submits waits for microseconds.
 *
 * <p>Results are delivered before the pod's next command starts.
 */
public final class Dispatcher implements CommandSink {
    private static final Logger log = LoggerFactory.getLogger(Dispatcher.class);
    /** Not longer for what only tells of pods: the next leader waits for the Lease meanwhile. */
    private static final long WAIT_FOR_WORDS = TimeUnit.SECONDS.toNanos(3);

    private static final long BETWEEN_LOOKS_AT_SERIES = TimeUnit.MINUTES.toNanos(1);

    /** Time, chance and threads, as tests want them otherwise. */
    record Surroundings(LongSupplier nanos, InstantSource clock, RandomGenerator random, Executor threads) {
        static Surroundings real() {
            return new Surroundings(
                    System::nanoTime,
                    InstantSource.system(),
                    RandomGenerator.of("L64X128MixRandom"),
                    step -> Thread.ofVirtual().name("dispatch").start(step));
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Surroundings surroundings;
    private final DispatchPlan plan;
    private final CommandCarrier carrier;
    private final Consumer<CommandResult> results;
    private final DispatcherObserver observer;
    private boolean closed;
    private long lookedAtSeries;
    private Instant lastEvent = Instant.EPOCH;

    Dispatcher(
            DispatcherSettings settings,
            Surroundings surroundings,
            CommandCarrier carrier,
            Consumer<CommandResult> results,
            DispatcherObserver observer) {
        this.surroundings = surroundings;
        this.carrier = carrier;
        this.results = results;
        this.observer = observer;
        lookedAtSeries = surroundings.nanos().getAsLong();
        plan = new DispatchPlan(settings, surroundings.random(), observer, lookedAtSeries);
    }

    /**
     * A dispatcher at work.
     *
     * @param mayWrite whether the lease is held beyond doubt; asked right before each binding and status patch
     * @param results the engine's mailbox
     * @param hostname names this replica in events
     */
    public static Dispatcher start(
            DispatcherSettings settings,
            ApiTransport transport,
            ObjectReader reader,
            BooleanSupplier mayWrite,
            Consumer<CommandResult> results,
            DispatcherObserver observer,
            String hostname) {
        Surroundings real = Surroundings.real();
        CommandCarrier carrier = new CommandCarrier(transport, reader, mayWrite, real.clock(), hostname);
        Dispatcher dispatcher = new Dispatcher(settings, real, carrier, results, observer);
        Thread.ofVirtual().name("dispatcher").start(dispatcher::work);
        return dispatcher;
    }

    @Override
    public void submit(Command command) {
        if (command instanceof Command.Announce(var pod, var announcement)) {
            announce(Regarding.pod(pod), announcement);
        } else if (!locked(() -> take(command))) {
            refuse(command);
        }
    }

    private boolean take(Command command) {
        if (closed) {
            return false;
        }
        plan.add(command, now());
        changed.signalAll();
        return true;
    }

    private void refuse(Command late) {
        String message = "the scheduler is shutting down";
        switch (late) {
            case Command.Bind(var pod, var node, var _) ->
                results.accept(new CommandResult.NotBound(pod, node, CommandResult.Refusal.FAILED, message));
            case Command.Look(var pod) -> results.accept(new CommandResult.NotLooked(pod, message));
            case Command.PatchStatus _, Command.Announce _ -> observer.dropped(CommandKind.of(late), Drop.CLOSED);
        }
    }

    @Override
    public void announce(Regarding regarding, Announcement announcement) {
        boolean taken = locked(() -> {
            if (closed) {
                return false;
            }
            plan.add(new Happening(regarding, announcement, timeOfEvent()), now());
            changed.signalAll();
            return true;
        });
        if (!taken) {
            observer.dropped(CommandKind.ANNOUNCE, Drop.CLOSED);
        }
    }

    /** Never the same twice, as events are named after it. */
    private Instant timeOfEvent() {
        Instant now = surroundings.clock().instant();
        lastEvent = now.isAfter(lastEvent) ? now : lastEvent.plusNanos(1);
        return lastEvent;
    }

    private void work() {
        do {
            startAll();
        } while (awaitWork());
    }

    /** Starts what may start. */
    void startAll() {
        Optional<Job> next = take();
        while (next.isPresent()) {
            Job job = next.get();
            surroundings.threads().execute(() -> run(job));
            next = take();
        }
    }

    /** Nanoseconds until there may be more to start if nothing else happens. */
    long nanosUntilNext() {
        return locked(() ->
                Math.min(plan.nanosUntilNext(now()), Math.max(0, lookedAtSeries + BETWEEN_LOOKS_AT_SERIES - now())));
    }

    private boolean awaitWork() {
        lock.lock();
        try {
            while (!closed && nanosUntilNext() > 0) {
                changed.awaitNanos(nanosUntilNext());
            }
            return !closed;
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private Optional<Job> take() {
        return locked(() -> {
            lookAtSeries();
            return closed ? Optional.<Job>empty() : plan.take(now());
        });
    }

    private void lookAtSeries() {
        if (now() - lookedAtSeries >= BETWEEN_LOOKS_AT_SERIES) {
            lookedAtSeries = now();
            for (SeriesEnd end : carrier.finishedSeries(surroundings.clock().instant())) {
                plan.add(end, now());
            }
        }
    }

    private void run(Job job) {
        long start = now();
        Outcome outcome = HeldBack.by(job.heldBack(), () -> carrier.carry(job.work(), job.step(), job.attempts()));
        if (job.step() == Job.Step.CALL) {
            observer.called(job.kind(), isSuccess(outcome), Duration.ofNanos(now() - start));
        }
        locked(() -> {
            plan.ended(job);
            changed.signalAll();
            return true;
        });
        try {
            deliver(job, outcome);
        } finally {
            locked(() -> {
                plan.settle(job, outcome, now());
                changed.signalAll();
                return true;
            });
        }
    }

    private void deliver(Job job, Outcome outcome) {
        switch (outcome) {
            case Outcome.Done(CommandResult result) -> results.accept(result);
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
            when why == Drop.REFUSED || why == Drop.EXHAUSTED ->
                line(log.atWarn(), "Write failed, giving up", job, message);
            case Outcome.Dropped _, Outcome.Silent _, Outcome.Folded _, Outcome.Prepared _ -> {}
            case Outcome.TryAgain(var _, String message) -> line(log.atDebug(), "Write failed, retrying", job, message);
        }
    }

    private static void line(LoggingEventBuilder level, String what, Job job, String why) {
        level.setMessage(what)
                .addKeyValue("write", job.kind())
                .addKeyValue("about", job.work().key())
                .addKeyValue("why", why)
                .log();
    }

    private static boolean isSuccess(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Done(CommandResult result) -> result instanceof CommandResult.Looked;
            case Outcome.Bound _, Outcome.Silent _, Outcome.Folded _, Outcome.Prepared _ -> true;
            case Outcome.TryAgain _, Outcome.Dropped _ -> false;
        };
    }

    @Override
    public boolean drain(Duration time) throws InterruptedException {
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

    @Override
    public Undone undone() {
        return locked(plan::undone);
    }

    @Override
    public DispatcherView view() {
        return locked(plan::view);
    }

    @Override
    public void close() {
        locked(() -> {
            closed = true;
            changed.signalAll();
            return true;
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

    private long now() {
        return surroundings.nanos().getAsLong();
    }
}
