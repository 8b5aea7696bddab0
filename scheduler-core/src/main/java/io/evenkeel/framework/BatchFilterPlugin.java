package io.evenkeel.framework;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.cycle.Rejections;

/**
 * Filters all candidates at once. Its per-node form must give the same verdicts and reasons: it is what explains a
 * single node, and what the batch form is checked against.
 */
public interface BatchFilterPlugin extends FilterPlugin {

    /** Takes the nodes that the pod cannot run on out of the candidates and tells the rejections why. */
    void filterAll(CycleState state, PodInfo pod, NodeSet candidates, Rejections rejections);
}
