package io.evenkeel.plugins;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.DerivedMask;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.ExplainingPlugin;
import io.evenkeel.framework.why.NodeChange.Uncordoned;
import io.evenkeel.model.Node;
import io.evenkeel.model.Taint;
import java.util.List;

/**
 * Keeps pods off nodes with {@code spec.unschedulable}, unless they tolerate the taint
 * {@code node.kubernetes.io/unschedulable:NoSchedule}. The field decides, whether or not the node has that taint.
 */
final class NodeUnschedulable extends NodeCheck implements ExplainingPlugin {
    public static final String NAME = "NodeUnschedulable";
    public static final PluginFactory FACTORY =
            TreeContext.factory(NAME, NodeUnschedulable.class, NodeUnschedulable::new);

    private static final Status CORDONED = Status.unresolvable("node(s) were unschedulable");

    private final NodeTable nodes;
    private final DerivedMask schedulable;

    public NodeUnschedulable(TreeContext context) {
        ClusterView cluster = context.cluster();
        nodes = cluster.nodes();
        schedulable = cluster.derivations()
                .keptUp(cluster.derivations()
                        .maskOverNodes(node -> !cluster.nodes().node(node).unschedulable()));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    Status verdict(PodInfo pod, Node node) {
        return !node.unschedulable() || tolerates(pod) ? Status.SUCCESS : CORDONED;
    }

    @Override
    public void filterAll(CycleState state, PodInfo pod, NodeSet candidates, Rejections rejections) {
        if (!schedulable.passesAll() && !tolerates(pod)) {
            rejections.keepOnly(candidates, schedulable, CORDONED);
        }
    }

    @Override
    public FilterDryRun dryRun(PodInfo pod) {
        return tolerates(pod) ? FilterDryRun.PASSES : FilterDryRun.byNode(node -> verdict(pod, nodes.node(node)));
    }

    private static boolean tolerates(PodInfo pod) {
        return pod.shape().tolerations().value().tolerate(Taint.CORDON);
    }

    @Override
    public List<Account> accounts(PodInfo pod) {
        int cordoned = nodes.count() - schedulable.current().size();
        return List.of(new Account.Words("cordoned: " + cordoned + " of " + nodes.count() + " nodes"));
    }

    /** A pod that tolerated the cordon would go to a node that somebody is about to empty. */
    @Override
    public List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
        return List.of(List.of(new Uncordoned(node.name())));
    }

    @Override
    public List<WakeUp> wakeUps() {
        return List.of(
                whenNodeBeginsToPass(
                        waiting -> PodInfo.of(waiting).shape().tolerations(),
                        ChangeKind.NODE_ADDED,
                        ChangeKind.NODE_TAINTS),
                WakeUp.on((waiting, change) -> tolerates(PodInfo.of(waiting)), ChangeKind.OWN_TOLERATIONS));
    }
}
