package io.evenkeel.model;

import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A pod's spec, as scheduling reads it.
 *
 * @param nodeName empty while the pod is not placed
 * @param podRequests pod-level {@code resources.requests}; empty where the spec has no pod-level {@code resources}
 * @param podLimits pod-level {@code resources.limits}
 * @param imageVolumes references of volumes that are images
 * @param volumes the ones that decide where the pod can run
 * @param resourceClaims what it claims of devices
 * @param hostUsers false where the pod has a user namespace of its own
 * @param podGroupName the PodGroup that {@code schedulingGroup} names; empty for none
 * @since 0.1
 */
public record PodSpec(
        String nodeName,
        String schedulerName,
        int priority,
        boolean preempts,
        List<Container> containers,
        List<Container> initContainers,
        Map<String, Quantity> overhead,
        Optional<Map<String, Quantity>> podRequests,
        Map<String, Quantity> podLimits,
        Labels nodeSelector,
        NodeAffinity nodeAffinity,
        PodAffinity podAffinity,
        List<Toleration> tolerations,
        List<TopologySpreadConstraint> topologySpread,
        List<String> schedulingGates,
        List<String> imageVolumes,
        List<PodVolume> volumes,
        List<PodResourceClaim> resourceClaims,
        boolean hostNetwork,
        boolean hostUsers,
        String podGroupName) {

    public PodSpec withNodeName(String name) {
        return copy(name, imageVolumes, volumes);
    }

    public PodSpec withVolumes(List<String> newImageVolumes, List<PodVolume> newVolumes) {
        return copy(nodeName, newImageVolumes, newVolumes);
    }

    private PodSpec copy(String itsNode, List<String> itsImageVolumes, List<PodVolume> itsVolumes) {
        return new PodSpec(
                itsNode,
                schedulerName,
                priority,
                preempts,
                containers,
                initContainers,
                overhead,
                podRequests,
                podLimits,
                nodeSelector,
                nodeAffinity,
                podAffinity,
                tolerations,
                topologySpread,
                schedulingGates,
                itsImageVolumes,
                itsVolumes,
                resourceClaims,
                hostNetwork,
                hostUsers,
                podGroupName);
    }
}
