package io.evenkeel.framework.cycle;

import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.Status;
import io.evenkeel.api.Trial;
import io.evenkeel.cluster.LiveNode;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.framework.cycle.FilterDryRun.FilterDryRuns;
import java.util.List;
import java.util.Optional;

/** A trial by rows and sets of nodes. */
public interface BatchTrial extends Trial {

    /** Every trial is one; a plugin of the tree asks it so. */
    static BatchTrial of(Trial trial) {
        return (BatchTrial) trial;
    }

    /** Named as an objecting plugin: the room that is left for nominated pods, which plugins do not know of. */
    String NOMINATED_PODS = "nominated pods";

    @Override
    WhatIf whatIf();

    /**
     * The verdict on one node as the cluster is now, hypothetical changes included, for which PreFilter and Filter of the profile are
     * run again: Success, or that of the first plugin which turns it away.
     */
    Status verdictOn(int node);

    @Override
    default Status verdictOn(NodeInfo node) {
        return verdictOn(LiveNode.idOf(node));
    }

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

    /** Returns the pods nominated to the node for which the pod has to leave room. */
    default List<PodInfo> nominatedTo(int node) {
        return List.of();
    }

    @Override
    default List<PodInfo> nominatedTo(NodeInfo node) {
        return nominatedTo(LiveNode.idOf(node));
    }

    /** The nodes to which pods are nominated for which the pod has to leave room. */
    default NodeSetView awaited() {
        return NodeSetView.NONE;
    }
}
