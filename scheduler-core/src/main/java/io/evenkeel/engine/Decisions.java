package io.evenkeel.engine;

import io.evenkeel.engine.decision.Commitment;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.framework.cycle.Status;
import io.evenkeel.framework.run.PluginFault;
import io.evenkeel.queue.Attempt;
import java.util.function.LongSupplier;

/** Decides pods, one after the other, and begins what follows: a binding, a wait for a permit, or another attempt later. */
final class Decisions {
    private final Engine engine;
    private final AttemptOutcomes outcomes;
    private final Permits permits;
    private final Bindings bindings;
    private final SchedulerObserver observer;
    private final LongSupplier clock;

    Decisions(
            Engine engine,
            AttemptOutcomes outcomes,
            Permits permits,
            Bindings bindings,
            SchedulerObserver observer,
            LongSupplier clock) {
        this.engine = engine;
        this.outcomes = outcomes;
        this.permits = permits;
        this.bindings = bindings;
        this.observer = observer;
        this.clock = clock;
    }

    /** Decides the pod; where that fails, it is tried again later. */
    void decide(Attempt attempt, long startedAt) {
        if (attempt.pod().meta().terminating()) {
            outcomes.skipped(attempt);
            return;
        }
        attempt(attempt, startedAt, () -> decided(attempt, engine.decide(attempt.admitted()), startedAt));
    }

    private void attempt(Attempt attempt, long startedAt, Runnable step) {
        try {
            step.run();
        } catch (Throwable thrown) {
            RuntimeException fault = PluginFault.of(thrown);
            observer.faulted(attempt.pod(), fault);
            outcomes.failed(attempt, Status.error(fault).message(), startedAt);
        }
    }

    private void decided(Attempt attempt, Decision decision, long startedAt) {
        observer.decided(clock.getAsLong() - startedAt);
        switch (decision) {
            case Decision.Unschedulable no -> outcomes.unschedulable(attempt, no, startedAt);
            case Decision.Placed placed -> commit(attempt, placed, startedAt);
        }
    }

    private void commit(Attempt attempt, Decision.Placed placed, long startedAt) {
        String node = engine.cluster().nodes().name(placed.node());
        switch (engine.assume(attempt.pod(), placed)) {
            case Commitment.Refused refused -> outcomes.objected(attempt, refused.objection(), startedAt);
            case Commitment.Ready ready -> {
                PodBinding binding = new PodBinding(attempt, node, ready.steps(), startedAt);
                if (ready.steps().takeTime()) {
                    expect(binding);
                }
                bindings.begin(binding);
            }
            case Commitment.Waiting waiting -> {
                PodBinding binding = new PodBinding(attempt, node, waiting.steps(), startedAt);
                expect(binding);
                permits.await(binding, waiting.delays());
            }
        }
    }

    /** The pod counts on its node, and nobody looks after it yet: it counts there no longer where this fails. */
    private void expect(PodBinding binding) {
        try {
            outcomes.expected(binding);
        } catch (RuntimeException | Error notSaid) {
            engine.forget(binding.pod(), binding.steps());
            throw notSaid;
        }
    }
}
