package io.evenkeel.engine;

import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import java.util.Optional;
import java.util.function.Consumer;

/** What a pod's user gets to read of its attempts: events, and the condition PodScheduled. */
final class PodReports {
    /** The nomination of a pod that may fit nowhere soon: what its status said is taken away. */
    static final Optional<String> NOWHERE = Optional.of("");

    private static final String UNSCHEDULABLE = "Unschedulable";
    private static final String SCHEDULER_ERROR = "SchedulerError";

    private final Consumer<? super Command> commands;

    PodReports(Consumer<? super Command> commands) {
        this.commands = commands;
    }

    void scheduled(Pod pod, String node) {
        announce(pod, Announcement.scheduled(pod.key(), node, pod.spec().schedulerName()));
    }

    /** @param nominatedNode empty leaves what the pod's status says */
    void unschedulable(Pod pod, String message, Optional<String> nominatedNode) {
        failed(pod, UNSCHEDULABLE, message, nominatedNode);
    }

    void schedulerError(Pod pod, String message) {
        failed(pod, SCHEDULER_ERROR, message, NOWHERE);
    }

    /** The pod's turn has come, but it is being deleted. */
    void skipped(Pod pod) {
        announce(
                pod,
                Announcement.failedScheduling(
                        "skip schedule deleting pod: " + pod.key(), pod.spec().schedulerName()));
    }

    private void failed(Pod pod, String reason, String message, Optional<String> nominatedNode) {
        announce(pod, Announcement.failedScheduling(message, pod.spec().schedulerName()));
        Optional<PodCondition> before = pod.status().scheduled();
        boolean stillFalse = before.isPresent() && before.get().status().equals("False");
        PodCondition now = new PodCondition(
                PodCondition.POD_SCHEDULED,
                "False",
                reason,
                message,
                stillFalse ? before.get().lastTransitionTime() : "",
                pod.meta().generation());
        Optional<String> renominated =
                nominatedNode.filter(node -> !node.equals(pod.status().nominatedNodeName()));
        if (renominated.isPresent() || before.isEmpty() || !before.get().equals(now)) {
            commands.accept(new Command.PatchStatus(pod, now, renominated));
        }
    }

    private void announce(Pod pod, Announcement announcement) {
        commands.accept(new Command.Announce(pod, announcement));
    }
}
