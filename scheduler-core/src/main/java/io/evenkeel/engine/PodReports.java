package io.evenkeel.engine;

import io.evenkeel.api.Preparation;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.FeatureGates.Feature;
import io.evenkeel.engine.Preemptions.Eviction;
import io.evenkeel.framework.ReversiblePreparation;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.queue.Attempt;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Reports of a pod's attempts to its user: events, the condition PodScheduled, and the nominated node. */
final class PodReports {
    private final Consumer<? super Command> commands;
    private final boolean nominatesExpected;

    PodReports(Consumer<? super Command> commands, FeatureGates gates) {
        this.commands = commands;
        this.nominatesExpected = gates.isOn(Feature.NOMINATED_NODE_NAME_FOR_EXPECTATION);
    }

    /** The pod has its node, but it will take time until it is bound: others, as an autoscaler, may count on the node. */
    void expected(Attempt attempt, String node) {
        if (nominatesExpected && !node.equals(attempt.nominatedNode())) {
            attempt.nominate(node);
            commands.accept(new Command.PatchStatus(attempt.pod(), Optional.empty(), Optional.of(node)));
        }
    }

    void awaits(Pod pod, ReversiblePreparation.Notice notice) {
        recordEvent(
                pod,
                new ObjectEvent(
                        ObjectEvent.Type.NORMAL,
                        notice.reason(),
                        "Scheduling",
                        notice.note(),
                        pod.spec().schedulerName()));
    }

    /** What was written for the pod is taken back as far as its plugins want: it was not bound. */
    void undone(PodBinding binding) {
        for (Preparation preparation : binding.steps().preparations().values()) {
            if (preparation instanceof ReversiblePreparation reversible) {
                reversible
                        .undo()
                        .forEach(write -> commands.accept(new Command.WriteObject(binding.pod(), write, false)));
            }
        }
    }

    void scheduled(Pod pod, String node) {
        recordEvent(pod, ObjectEvent.scheduled(pod.key(), node, pod.spec().schedulerName()));
    }

    void remarked(Pod pod, List<PodCondition> remarks) {
        for (PodCondition remark : remarks) {
            commands.accept(new Command.PatchStatus(pod, Optional.of(remark), Optional.empty()));
        }
    }

    void preempted(Eviction eviction) {
        recordEvent(eviction.victim(), ObjectEvent.preempted(eviction.preemptor(), eviction.node()));
    }

    /** The pod's status names no node any more where it may fit. */
    void displaced(Pod pod) {
        commands.accept(new Command.PatchStatus(pod, Optional.empty(), Optional.of("")));
    }

    /** The pod's turn has come, but it is being deleted. */
    void skipped(Pod pod) {
        recordEvent(
                pod,
                ObjectEvent.failedScheduling(
                        "skip schedule deleting pod: " + pod.key(), pod.spec().schedulerName()));
    }

    /** Others of other namespaces have their turn before the pod. */
    void deferred(Pod pod) {
        recordEvent(pod, ObjectEvent.deferred(pod.namespace(), pod.spec().schedulerName()));
    }

    /** The pod waits until somebody changes it. */
    void unreadable(Pod pod, String reason) {
        recordEvent(
                pod,
                ObjectEvent.failedScheduling(
                        "the pod cannot be read: " + reason, pod.spec().schedulerName()));
    }

    /** @param renominated the node that the pod's status is to name from now on; empty leaves what it says */
    void failed(Attempt attempt, String reason, String message, Optional<String> renominated) {
        Pod pod = attempt.pod();
        recordEvent(pod, ObjectEvent.failedScheduling(message, pod.spec().schedulerName()));
        Optional<PodCondition> before = pod.status().scheduled();
        boolean stillFalse = before.isPresent() && before.get().status().equals("False");
        PodCondition now = new PodCondition(
                PodCondition.POD_SCHEDULED,
                "False",
                reason,
                message,
                stillFalse ? before.get().lastTransitionTime() : "",
                pod.meta().generation());
        if (renominated.isPresent() || before.isEmpty() || !before.get().equals(now)) {
            commands.accept(new Command.PatchStatus(pod, Optional.of(now), renominated));
        }
    }

    private void recordEvent(Pod pod, ObjectEvent event) {
        commands.accept(new Command.RecordEvent(pod, event));
    }
}
