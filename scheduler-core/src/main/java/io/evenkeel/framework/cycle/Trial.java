package io.evenkeel.framework.cycle;

import io.evenkeel.api.Status;
import io.evenkeel.api.VictimAdvice;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.model.Pod;
import java.util.List;
import java.util.Optional;

/** Finds out what would let a pod fit that fits nowhere, on the cluster itself and without leaving a trace. */
public interface Trial {

    /** Named as an objecting plugin: the room that is left for nominated pods, which plugins do not know of. */
    String NOMINATED_PODS = "nominated pods";

    /** Hypothetical changes, taken back when closed, or at the latest when the trial is over. */
    WhatIf whatIf();

    /**
     * Of these nodes, those that the pod could run on as the cluster is now, hypothetical changes included: PreFilter and
     * Filter of the profile are run again.
     */
    NodeSet feasible(NodeSetView among);

    /** The verdict of those plugins on one node: Success, or that of the first which turns it away. */
    Status verdictOn(int node);

    /** The plugin that said so when the pod was last turned away by that; empty where it has not been. */
    default String objector() {
        return "";
    }

    /**
     * Returns the plugins for one node after the other, in their order, while pods of it leave in thought; those left out that
     * never object. Empty where one of them cannot say. Of nodes that are {@link #awaited} they have
     * to be told who is nominated there.
     */
    default Optional<FilterDryRuns> dryRuns() {
        return Optional.empty();
    }

    /** Whether the pod has been asked to go so that another may run, though the cluster does not show it yet. */
    default boolean isLeaving(Pod pod) {
        return false;
    }

    /** Returns the extenders' word on which pods go for the pod. A plugin that lets pods go keeps to it. */
    default VictimAdvice victimAdvice() {
        return VictimAdvice.NOT_NEEDED;
    }

    /** Returns the pods nominated to the node for which the pod has to leave room. */
    default List<PodInfo> nominatedTo(int node) {
        return List.of();
    }

    /** The nodes to which pods are nominated for which the pod has to leave room. */
    default NodeSetView awaited() {
        return NodeSetView.NONE;
    }
}
