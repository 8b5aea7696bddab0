package io.evenkeel.model;

import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What scheduling reads of a pod's status.
 *
 * @param resizeInfeasible whether the condition PodResizePending has the reason Infeasible
 * @param scheduled the condition PodScheduled
 * @param actualRequests pod-level {@code resources.requests} of the status
 */
public record PodStatus(
        String phase,
        String nominatedNodeName,
        List<ContainerStatus> containers,
        boolean resizeInfeasible,
        Map<String, Quantity> allocatedResources,
        Optional<Map<String, Quantity>> actualRequests,
        Optional<PodCondition> scheduled) {

    public static final PodStatus PENDING = new PodStatus("Pending", "", List.of(), false, Map.of(), Optional.empty());

    /** A status without the condition PodScheduled. */
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
                containers,
                resizeInfeasible,
                allocatedResources,
                actualRequests,
                Optional.empty());
    }

    public PodStatus withPhase(String newPhase) {
        return new PodStatus(
                newPhase,
                nominatedNodeName,
                containers,
                resizeInfeasible,
                allocatedResources,
                actualRequests,
                scheduled);
    }

    public PodStatus withNominatedNodeName(String name) {
        return new PodStatus(phase, name, containers, resizeInfeasible, allocatedResources, actualRequests, scheduled);
    }

    /** The same with another condition PodScheduled. */
    public PodStatus withScheduled(Optional<PodCondition> condition) {
        return new PodStatus(
                phase, nominatedNodeName, containers, resizeInfeasible, allocatedResources, actualRequests, condition);
    }

    /** Whether the pod has run to its end and uses nothing any more. */
    public boolean isFinished() {
        return phase.equals("Succeeded") || phase.equals("Failed");
    }
}
