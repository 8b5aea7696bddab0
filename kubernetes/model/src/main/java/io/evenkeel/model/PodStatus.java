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
 * @param shard the condition evenkeel.io/shard
 * @param ready whether the condition Ready is True
 * @param claims the ResourceClaims that were made for the pod from templates
 * @param extendedClaim the ResourceClaim that was made for its extended resources
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
        Optional<PodCondition> shard,
        boolean ready,
        List<MadeClaim> claims,
        Optional<ExtendedClaim> extendedClaim) {

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
                Optional.empty(),
                false,
                List.of(),
                Optional.empty());
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

    /**
     * What was made of a claim of the pod's spec.
     *
     * @param name of the claim within the pod
     * @param resourceClaimName empty where the pod needs none
     */
    public record MadeClaim(String name, Optional<String> resourceClaimName) {}

    /** The ResourceClaim for the extended resources that stand for devices. */
    public record ExtendedClaim(String resourceClaimName, List<Mapping> mappings) {}

    /** Which request of the claim a container's is. */
    public record Mapping(String container, String resource, String request) {}
}
