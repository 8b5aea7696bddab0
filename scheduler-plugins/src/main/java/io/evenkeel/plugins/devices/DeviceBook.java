package io.evenkeel.plugins.devices;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.ResourceClaim;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The devices of the cluster and who has them; kept up to date with every change. */
final class DeviceBook implements ClusterIndex {
    private final Map<String, DeviceAllocation> assumed = new HashMap<>();

    static DeviceBook of(ClusterView cluster) {
        return cluster.index(DeviceBook.class, _ -> new DeviceBook());
    }

    /** The claim has these devices from now on, though the server does not show it yet. */
    void assume(ResourceClaim claim, DeviceAllocation allocation) {
        assumed.put(claim.meta().uid(), allocation);
    }

    /** Takes back what was assumed, if anything. */
    void forget(ResourceClaim claim) {
        assumed.remove(claim.meta().uid());
    }

    /** What was assumed for the claim and the server does not show yet. */
    Optional<DeviceAllocation> assumed(ResourceClaim claim) {
        return Optional.ofNullable(assumed.get(claim.meta().uid()));
    }

    /** Devices for all of these claims on this node; each has its class already, as PreFilter saw. */
    Answer allocate(List<ResourceClaim> claims, int node) {
        return new Answer.None("cannot allocate all claims");
    }

    /** Which of the nodes could have all of these claims; to be read until the next call or change. */
    Verdicts verdicts(List<ResourceClaim> claims, NodeSetView nodes) {
        return new Verdicts(NodeSetView.NONE, NodeSetView.NONE, Optional.empty());
    }

    @Override
    public void audit(AuditFacts facts, Differences differences) {}

    /** Whether there are devices for claims on a node. */
    sealed interface Answer {
        /**
         * There are.
         *
         * @param allocations for each claim, in their order; the request of a result names the alternative that was chosen
         */
        record Found(List<DeviceAllocation> allocations) implements Answer {}

        /** There are none: a reason for the node. */
        record None(String reason) implements Answer {}

        /** The claims cannot be read or compared: an error of the pod. */
        record Failed(String message) implements Answer {}
    }

    /**
     * The answers of many nodes. Those that are in neither set have not what is wanted.
     *
     * @param invalid nodes that have not, and have a pool that is invalid
     * @param failure the first node's, in their order, that {@link Answer.Failed failed}; then the sets say nothing
     */
    record Verdicts(NodeSetView possible, NodeSetView invalid, Optional<Failure> failure) {
        /** Why the claims cannot be read or compared. */
        record Failure(int node, String message) {}
    }
}
