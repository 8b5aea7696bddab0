package io.evenkeel.engine;

import io.evenkeel.framework.ClusterChange;
import io.evenkeel.framework.ClusterChanges;
import io.evenkeel.framework.Diagnosis;
import io.evenkeel.framework.SchedulerObserver;
import io.evenkeel.framework.SchedulerObserver.AttemptResult;
import io.evenkeel.framework.Status;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodBuilder;
import io.evenkeel.model.PodCondition;
import io.evenkeel.queue.Attempt;
import io.evenkeel.queue.Rejectors;
import io.evenkeel.queue.SchedulingQueue;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What follows from the end of an attempt, in the reference's order: it is counted, the pod goes back to the queue or
 * out of it, and its user gets to read why: in an event and in the condition PodScheduled.
 */
final class AttemptOutcomes {
    private static final String UNSCHEDULABLE = "Unschedulable";
    private static final String SCHEDULER_ERROR = "SchedulerError";

    private final SchedulingQueue queue;
    private final Consumer<? super Command> commands;
    private final SchedulerObserver observer;
    private final LongSupplier clock;

    AttemptOutcomes(
            SchedulingQueue queue, Consumer<? super Command> commands, SchedulerObserver observer, LongSupplier clock) {
        this.queue = queue;
        this.commands = commands;
        this.observer = observer;
        this.clock = clock;
    }

    /** The server has bound the pod. */
    void bound(PodBinding binding) {
        Attempt attempt = binding.attempt();
        Pod pod = binding.pod();
        long now = clock.getAsLong();
        observer.attempted(pod.spec().schedulerName(), AttemptResult.SCHEDULED, now - binding.startedAt());
        observer.scheduled(pod, attempt.attempts(), now - attempt.firstActiveAt());
        queue.bound(attempt);
        commands.accept(new Command.Announce(
                pod,
                Announcement.scheduled(pod.key(), binding.node(), pod.spec().schedulerName())));
    }

    /** Somebody else has bound the pod, elsewhere. */
    void overtaken(PodBinding binding) {
        endAttempt(binding);
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

    /** The server said that it had bound the pod, and now shows it without a node: it waits anew. */
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
        failed(binding.attempt(), "running Bind plugin \"DefaultBinder\": " + message, binding.startedAt());
    }

    /** No permit came in time; its place is free. */
    void permitTimedOut(PodBinding binding, long waitedNanos, String plugin) {
        placeIsFree(binding);
        String message = "rejected due to timeout after waiting "
                + Duration.ofNanos(waitedNanos).toSeconds() + "s at plugin " + plugin;
        rejected(binding.attempt(), message, new Rejectors(Set.of(plugin), Set.of()), binding.startedAt());
    }

    private void placeIsFree(PodBinding binding) {
        Pod left = PodBuilder.from(binding.pod()).nodeName(binding.node()).build();
        Optional<ClusterChange> change = ClusterChanges.between(Optional.of(left), Optional.empty());
        change.ifPresent(freed -> queue.changed(freed, clock.getAsLong()));
    }

    /** The pod fits on no node. */
    void unschedulable(Attempt attempt, Diagnosis diagnosis, long startedAt) {
        rejected(attempt, diagnosis.message(), Rejectors.of(diagnosis), startedAt);
    }

    /** A plugin did not let the pod be reserved or permitted on the node chosen. */
    void refused(Attempt attempt, Status refusal, long startedAt) {
        if (refusal.code() == Status.Code.ERROR) {
            failed(attempt, refusal.message(), startedAt);
        } else {
            rejected(attempt, refusal.message(), Rejectors.NONE, startedAt);
        }
    }

    /** Plugins have said no to the pod. */
    private void rejected(Attempt attempt, String message, Rejectors by, long startedAt) {
        long now = clock.getAsLong();
        observer.attempted(attempt.pod().spec().schedulerName(), AttemptResult.UNSCHEDULABLE, now - startedAt);
        queue.rejected(attempt, by, now);
        tell(attempt, UNSCHEDULABLE, message);
    }

    /** Something went wrong that is not the pod's fault. */
    void failed(Attempt attempt, String message, long startedAt) {
        long now = clock.getAsLong();
        observer.attempted(attempt.pod().spec().schedulerName(), AttemptResult.ERROR, now - startedAt);
        queue.failed(attempt, now);
        tell(attempt, SCHEDULER_ERROR, message);
    }

    private void tell(Attempt attempt, String reason, String message) {
        if (!attempt.stillWanted()) {
            return;
        }
        Pod pod = attempt.pod();
        commands.accept(new Command.Announce(
                pod, Announcement.failedScheduling(message, pod.spec().schedulerName())));
        Optional<PodCondition> before = pod.status().scheduled();
        boolean stillFalse = before.isPresent() && before.get().status().equals("False");
        PodCondition now = new PodCondition(
                PodCondition.POD_SCHEDULED,
                "False",
                reason,
                message,
                stillFalse ? before.get().lastTransitionTime() : "",
                pod.meta().generation());
        if (before.isEmpty() || !before.get().equals(now)) {
            commands.accept(new Command.PatchStatus(pod, now, Optional.empty()));
        }
    }

    /** The pod's turn has come, but it is being deleted. */
    void skipped(Attempt attempt) {
        Pod pod = attempt.pod();
        queue.done(attempt);
        commands.accept(new Command.Announce(
                pod,
                Announcement.failedScheduling(
                        "skip schedule deleting pod: " + pod.key(), pod.spec().schedulerName())));
    }
}
