package io.evenkeel.engine;

import io.evenkeel.api.Status;
import io.evenkeel.engine.decision.Commitment;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.group.turn.MemberOutcomes;
import io.evenkeel.framework.run.BindingSteps;
import io.evenkeel.framework.run.PluginFailure.PluginFault;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.Attempt;
import io.evenkeel.queue.RejectedBy;
import java.util.List;
import java.util.Optional;
import java.util.function.ObjLongConsumer;

/** Applies the ordinary outcomes of attempts to pods of a group. */
final class GroupedPods implements MemberOutcomes {
    private final Engine engine;
    private final AttemptOutcomes outcomes;
    private final Commitments commitments;
    private final Preemptions preemptions;
    private final SchedulerObserver observer;
    private final ObjLongConsumer<Attempt> alone;

    /** @param alone decides a pod by itself; its turn began then */
    GroupedPods(
            Engine engine,
            AttemptOutcomes outcomes,
            Commitments commitments,
            Preemptions preemptions,
            SchedulerObserver observer,
            ObjLongConsumer<Attempt> alone) {
        this.engine = engine;
        this.outcomes = outcomes;
        this.commitments = commitments;
        this.preemptions = preemptions;
        this.observer = observer;
        this.alone = alone;
    }

    @Override
    public Commitment assume(Attempt attempt, Decision.Placed placed) {
        return engine.assume(attempt.pod(), placed);
    }

    @Override
    public void takeBack(Attempt attempt, BindingSteps steps) {
        engine.forget(attempt.pod(), steps);
    }

    @Override
    public void follow(Attempt attempt, String node, Commitment made, long startedAt) {
        try {
            commitments.follow(attempt, node, made, startedAt);
        } catch (Throwable thrown) {
            RuntimeException fault = PluginFault.of(thrown);
            observer.faulted(attempt.pod(), fault);
            outcomes.failed(attempt, Status.error(fault).message(), startedAt);
        }
    }

    @Override
    public void decideAlone(Attempt attempt, long startedAt) {
        alone.accept(attempt, startedAt);
    }

    @Override
    public void waits(Attempt attempt, String message, RejectedBy by, Optional<String> nominatedNode, long startedAt) {
        outcomes.waitsForGroup(attempt, message, by, nominatedNode, startedAt);
    }

    @Override
    public void preempt(Attempt waiting, List<Pod> victims, String plugin) {
        preemptions.begin(waiting, victims, plugin);
    }

    @Override
    public void failed(Attempt attempt, String message, long startedAt) {
        outcomes.failed(attempt, message, startedAt);
    }

    @Override
    public void faulted(Pod pod, RuntimeException fault) {
        observer.faulted(pod, fault);
    }
}
