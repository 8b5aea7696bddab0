package io.evenkeel.engine.group;

import io.evenkeel.engine.decision.Commitment;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.framework.run.BindingSteps;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.Attempt;
import io.evenkeel.queue.RejectedBy;
import java.util.List;
import java.util.Optional;

/** Carries out decisions on pods of groups as on any others, by the scheduler's own hands. */
public interface MemberOutcomes {

    /** Counts the pod that was just decided on its node. */
    Commitment assume(Attempt attempt, Decision.Placed placed);

    /** It counts there no longer, as one of the others cannot. */
    void takeBack(Attempt attempt, BindingSteps steps);

    /** The pod counts on its node, and goes on from there; or a plugin has refused it. */
    void follow(Attempt attempt, String node, Commitment made, long startedAt);

    /** The pod is decided by itself. */
    void decideAlone(Attempt attempt, long startedAt);

    /**
     * The pod waits.
     *
     * @param nominatedNode where it may fit soon; empty leaves what its status says
     */
    void waits(Attempt attempt, String message, RejectedBy by, Optional<String> nominatedNode, long startedAt);

    /**
     * These go, so that the pods of its gang fit; it is not tried before they are on their way out.
     *
     * @param waiting the pod; its attempt has ended
     * @param plugin that chose them
     */
    void preempt(Attempt waiting, List<Pod> victims, String plugin);

    /** Something went wrong that is not the pod's fault. */
    void failed(Attempt attempt, String message, long startedAt);

    /** A plugin, or the engine itself, threw while the group of this pod was decided. */
    void faulted(Pod pod, RuntimeException fault);
}
