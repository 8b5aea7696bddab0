package io.evenkeel.plugins.nodeunschedulable;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.DerivedMask;
import io.evenkeel.cluster.NodeInfo;
import io.evenkeel.cluster.NodeSet;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.BatchFilterPlugin;
import io.evenkeel.framework.CycleState;
import io.evenkeel.framework.PluginContext;
import io.evenkeel.framework.PluginFactory;
import io.evenkeel.framework.Rejections;
import io.evenkeel.framework.Status;
import io.evenkeel.model.Taint;
import io.evenkeel.model.TaintEffect;

/**
 * Keeps pods off nodes with {@code spec.unschedulable}, unless they tolerate the taint
 * {@code node.kubernetes.io/unschedulable:NoSchedule}. The field decides, whether or not the node has that taint.
 */
public final class NodeUnschedulable implements BatchFilterPlugin {
    public static final String NAME = "NodeUnschedulable";
    public static final PluginFactory FACTORY = PluginFactory.of(NAME, NodeUnschedulable.class, NodeUnschedulable::new);

    private static final Taint UNSCHEDULABLE =
            new Taint("node.kubernetes.io/unschedulable", "", TaintEffect.NO_SCHEDULE);
    private static final Status CORDONED = Status.unresolvable("node(s) were unschedulable");

    private final DerivedMask schedulable;

    public NodeUnschedulable(PluginContext context) {
        ClusterState cluster = context.cluster();
        schedulable = cluster.maskOverNodes(node -> !cluster.nodes().node(node).unschedulable());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Status filter(CycleState state, PodInfo pod, NodeInfo node) {
        return !node.node().unschedulable() || tolerates(pod) ? Status.SUCCESS : CORDONED;
    }

    @Override
    public void filterAll(CycleState state, PodInfo pod, NodeSet candidates, Rejections rejections) {
        NodeSet passing = schedulable.current();
        if (!passing.containsAll(candidates) && !tolerates(pod)) {
            rejections.keepOnly(candidates, passing, CORDONED);
        }
    }

    private static boolean tolerates(PodInfo pod) {
        return pod.shape().tolerations().value().tolerate(UNSCHEDULABLE);
    }
}
