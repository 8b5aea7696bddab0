package io.evenkeel.engine;

import io.evenkeel.engine.Preemptions.Eviction;
import io.evenkeel.engine.SchedulerObserver.AttemptResult;
import io.evenkeel.framework.ReversiblePreparation;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.Attempt;
import io.evenkeel.queue.ClusterChanges;
import io.evenkeel.queue.RejectedBy;
import io.evenkeel.queue.SchedulingQueue;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Concludes an attempt, in the reference's order: it is counted, the pod goes back to the queue or
 * out of it, and its user gets to read why.
 *
 * @param freed told of each pod whose place is free, as it was not bound there after all
 */
record AttemptOutcomes(
        SchedulingQueue queue,
        PodReports reports,
        SchedulerObserver observer,
        Consumer<Pod> freed,
        LongSupplier clock) {
    private static final String UNSCHEDULABLE = "Unschedulable";
    private static final String SCHEDULER_ERROR = "SchedulerError";

    /** The nomination of a pod that may fit nowhere soon: what its status said is taken away. */
    private static final Optional<String> NOWHERE = Optional.of("");

    void askedAbout(Attempt attempt) {
        queue.preemptors().keepRoom(attempt);
    }

    void answered(Attempt attempt) {
        queue.preemptors().leaveRoom(attempt);
    }

    /** The pod's turn has come, but it is being deleted: it leaves the queue. */
    void skipped(Attempt attempt) {
        Pod pod = attempt.pod();
        queue.done(attempt);
        reports.skipped(pod);
    }

    /** The pod counts on its node, and it will take time until it is bound. */
    void expected(PodBinding binding) {
        reports.expected(binding.attempt(), binding.node());
    }

    /** The pod waits for what was to come of writes for it. */
    void awaits(PodBinding binding, ReversiblePreparation.Notice notice) {
        reports.awaits(binding.pod(), notice);
    }

    /** No plugin can turn the pod away any more. */
    void accepted(PodBinding binding) {
        queue.accepted(binding.attempt());
    }

    void bound(PodBinding binding) {
        Attempt attempt = binding.attempt();
        Pod pod = binding.pod();
        long now = clock.getAsLong();
        observer.attempted(pod.spec().schedulerName(), AttemptResult.SCHEDULED, now - binding.startedAt());
        observer.scheduled(pod, attempt.attempts(), now - attempt.firstActiveAt());
        queue.bound(attempt);
        reports.scheduled(pod, binding.node());
        reports.remarked(pod, binding.steps().remarks());
    }

    /** Somebody else has bound the pod; the place that was chosen for it is free. */
    void overtaken(PodBinding binding) {
        endAttempt(binding);
        placeIsFree(binding);
    }

    /** The pod is gone; its place is free. */
    void vanished(PodBinding binding) {
        endAttempt(binding);
        placeIsFree(binding);
    }

    private void endAttempt(PodBinding binding) {
        if (!binding.isBound()) {
            queue.done(binding.attempt());
        }
    }

    /** The server said that it had bound the pod, and now shows it without a node: the pod waits again. */
    void unbound(PodBinding binding, Pod found) {
        placeIsFree(binding);
        queue.add(found, clock.getAsLong());
    }

    /** The binding was not sent, as another replica may lead by now. */
    void notSent(PodBinding binding) {
        placeIsFree(binding);
        queue.failed(binding.attempt(), clock.getAsLong());
    }

    /** The pod was not bound; its place is free, and it is tried again later. */
    void notBound(PodBinding binding, String message) {
        placeIsFree(binding);
        reports.undone(binding);
        failed(binding.attempt(), message, binding.startedAt());
    }

    /**
     * A plugin turned the pod away so late that no change is known which may help: its place is free, and it is tried
     * again later.
     */
    void turnedAway(PodBinding binding, String message) {
        rejected(binding.attempt(), message, RejectedBy.NONE, NOWHERE, binding.startedAt());
        placeIsFree(binding);
        reports.undone(binding);
    }

    /** The pod did not get its permit; its place is free, which does not help itself where a plugin said no. */
    void denied(PodBinding binding, Objection objection) {
        if (objection.status().isRejected()) {
            objected(binding.attempt(), objection, binding.startedAt());
            placeIsFree(binding);
            reports.undone(binding);
        } else {
            notBound(binding, objection.message());
        }
    }

    private void placeIsFree(PodBinding binding) {
        reservationIsFree(binding);
        freed.accept(binding.pod());
    }

    /** What plugins had reserved for the pod is free. */
    void reservationIsFree(PodBinding binding) {
        ClusterChanges.ofFreedPlace(binding.pod(), binding.node())
                .ifPresent(change -> queue.changed(change, clock.getAsLong()));
    }

    /** The pod goes, or its place is free, so that another may run. */
    void preempted(Eviction eviction) {
        reports.preempted(eviction);
    }

    /** Less important pods that are nominated to the node may not fit there any more beside the one that others go for. */
    void displaceNominated(Pod preemptor, String node) {
        queue.preemptors().displace(preemptor, node, clock.getAsLong()).forEach(reports::displaced);
    }

    /** A plugin did not let the pod onto the node chosen. */
    void objected(Attempt attempt, Objection objection, long startedAt) {
        if (objection.status().isRejected()) {
            rejected(attempt, objection.message(), RejectedBy.of(objection), NOWHERE, startedAt);
        } else {
            failed(attempt, objection.message(), startedAt);
        }
    }

    /** It fits nowhere, or waits for its group. */
    void rejected(Attempt attempt, String message, RejectedBy by, Optional<String> nominatedNode, long startedAt) {
        long now = clock.getAsLong();
        observer.attempted(attempt.pod().spec().schedulerName(), AttemptResult.UNSCHEDULABLE, now - startedAt);
        queue.rejected(attempt, by, now);
        if (attempt.stillWanted()) {
            reports.failed(attempt, UNSCHEDULABLE, message, renominated(attempt, nominatedNode, now));
        }
    }

    /** Something went wrong that is not the pod's fault. */
    void failed(Attempt attempt, String message, long startedAt) {
        long now = clock.getAsLong();
        observer.attempted(attempt.pod().spec().schedulerName(), AttemptResult.ERROR, now - startedAt);
        queue.failed(attempt, now);
        if (attempt.stillWanted()) {
            reports.failed(attempt, SCHEDULER_ERROR, message, renominated(attempt, NOWHERE, now));
        }
    }

    /** The node that the pod's status is to name from now on, if it names another by the last news, or was to do so. */
    private Optional<String> renominated(Attempt attempt, Optional<String> nominatedNode, long now) {
        Optional<String> other = nominatedNode.filter(
                node -> !node.equals(attempt.nominatedNode()) || !node.equals(attempt.nodeByNews()));
        other.ifPresent(node -> queue.preemptors().nominate(attempt, node, now));
        return other;
    }
}
