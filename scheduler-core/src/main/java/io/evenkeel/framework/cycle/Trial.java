package io.evenkeel.framework.cycle;

import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;

/** Finds out what would let a pod fit that fits nowhere, on the cluster itself and without leaving a trace. */
public interface Trial {

    /** Hypothetical changes, taken back when closed, or at the latest when the trial is over. */
    WhatIf whatIf();

    /**
     * Of these nodes, those that the pod could run on as the cluster is now, hypothetical changes included: PreFilter and
     * Filter of the profile are run again.
     */
    NodeSet feasible(NodeSetView among);

    /** The verdict of those plugins on one node: Success, or that of the first which turns it away. */
    Status verdictOn(int node);
}
