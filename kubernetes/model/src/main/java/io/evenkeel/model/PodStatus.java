package io.evenkeel.model;

import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A pod's status, as scheduling reads it.
 *
 * @param startTime when a kubelet took the pod in, as RFC 3339 has it, so that the text sorts by time; empty before
 * @param resizeInfeasible whether the condition PodResizePending has the reason Infeasible
 * @param actualRequests pod-level {@code resources.requests} of the status
 * @param scheduled the condition PodScheduled
 * @param disruptionTarget the condition DisruptionTarget
 * @param ready whether the condition Ready is True
 * @since 0.1
 */
public record PodStatus(
        String phase,
        String nominatedNodeName,
        String startTime,
        List<ContainerStatus> containers,
        boolean resizeInfeasible,
        Map<String, Quantity> allocatedResources,
        Optional<Map<String, Quantity>> actualRequests,
        Optional<PodCondition> scheduled,
        Optional<PodCondition> disruptionTarget,
        boolean ready) {

    public static final PodStatus PENDING = new PodStatus("Pending", "", List.of(), false, Map.of(), Optional.empty());

    /** A status without those conditions, of a pod that has not started. */
    public PodStatus(
            String phase,
            String nominatedNodeName,
            List<ContainerStatus> containers,
            boolean resizeInfeasible,
            Map<String, Quantity> allocatedResources,
            Optional<Map<String, Quantity>> actualRequests) {
        this(
                phase,
                nominatedNodeName,
                "",
                containers,
                resizeInfeasible,
                allocatedResources,
                actualRequests,
                Optional.empty(),
                Optional.empty(),
                false);
    }

    /** Whether the pod has run to its end and uses nothing any more. */
    public boolean isFinished() {
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    /** Whether somebody has said that the pod is to go, for whatever reason. */
    public boolean isDisrupted() {
        return disruptionTarget
                .filter(condition -> condition.status().equals("True"))
                .isPresent();
    }

    /** Whether a scheduler has said that the pod makes room for one of higher priority. */
    public boolean isPreempted() {
        return disruptionTarget
                .filter(condition -> condition.status().equals("True")
                        && condition.reason().equals(PodCondition.PREEMPTION_BY_SCHEDULER))
                .isPresent();
    }
}
