package io.evenkeel.kube.dispatch;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.SchedulerConfiguration.ClientConnection;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.Machine.Loop;
import io.evenkeel.kube.api.RateLimitDelay;
import io.evenkeel.kube.api.Regarding;
import io.evenkeel.kube.dispatch.CommandSink.DispatcherView;
import io.evenkeel.kube.dispatch.CommandSink.Unfinished;
import io.evenkeel.kube.dispatch.Job.Outcome;
import io.evenkeel.kube.extender.Extenders;
import io.evenkeel.model.read.ObjectReader;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Carries out commands at the API server. One thread starts their steps, in the order and at the pace of the {@link SharedPlan}: a
 * step that is done in a moment it takes itself, a call that the transport can begin it begins, and only the rest gets a virtual thread.
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
    private final SharedPlan plan;
    private final Clocks clocks;
    private final Executor threads;
    private final CommandCarrier carrier;
    private final OutcomeDelivery delivery;

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
        plan = new SharedPlan(settings, clocks, observer, carrier::finishedSeries);
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
        CommandCarrier carrier = new CommandCarrier(transport, reader, mayWrite, clocks.time(), identity, extenders);
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
                if (!plan.add(command)) {
                    delivery.refuse(command);
                }
            }
        }
    }

    @Override
    public void recordEvent(Regarding regarding, ObjectEvent event) {
        if (!plan.add(regarding, event)) {
            delivery.refuseEvent();
        }
    }

    private Loop starts() {
        return new Loop() {
            @Override
            public boolean turn(long longestWait) {
                boolean goesOn = plan.awaitWork(longestWait);
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
        Optional<Job> next = plan.take();
        while (next.isPresent()) {
            start(next.get());
            next = plan.take();
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
        return plan.nanosUntilNext();
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
        plan.ended(job);
        try {
            delivery.deliver(job, outcome);
        } finally {
            plan.settle(job, outcome);
        }
    }

    @Override
    public boolean drain(Duration time) throws InterruptedException {
        return plan.drain(time);
    }

    @Override
    public Unfinished unfinished() {
        return plan.unfinished();
    }

    @Override
    public Duration overdue() {
        return plan.overdue();
    }

    @Override
    public DispatcherView view() {
        return plan.view();
    }

    @Override
    public void close() {
        plan.close();
    }

    /**
     * Limits of what is asked of the server.
     *
     * @param parallelism how many calls may be underway at once
     * @param qps calls a second on average, and the same again for events; negative for no limit
     * @param burst how many calls may be made at once after a pause
     * @param keptEvents how many events may wait
     */
    public record DispatcherSettings(int parallelism, float qps, int burst, int keptEvents) {
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
                    configuration.parallelism(), connection.qps(), connection.burst(), KEPT_EVENTS);
        }
    }
}
