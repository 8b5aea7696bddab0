package io.evenkeel.tools.why;

import io.evenkeel.engine.Scheduler;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A live scheduler's knowledge beside the cluster.
 *
 * @param queued what its queue knows of a pod; empty where it does not wait there
 * @param onTheirWay decided pods that the cluster does not show on their nodes yet
 */
record QueueKnowledge(Optional<QueuedPod> queued, Collection<Scheduler.OnItsWay> onTheirWay) {
    /** Of a scheduler that does not schedule. */
    static final QueueKnowledge NONE = new QueueKnowledge(Optional.empty(), List.of());
}
