package io.evenkeel.plugins;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.model.Node;
import java.util.List;

/** A pod with {@code spec.nodeName} fits that node only. */
final class NodeName extends NodeCheck {
    public static final String NAME = "NodeName";
    public static final PluginFactory FACTORY = TreeContext.factory(NAME, NodeName.class, NodeName::new);

    private static final Status OTHER_NODE = Status.unresolvable("node(s) didn't match the requested node name");

    private final ClusterView cluster;
    private final NodeSet named = new NodeSet();

    public NodeName(TreeContext context) {
        cluster = context.cluster();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    Status verdict(PodInfo pod, Node node) {
        return !pod.pod().isPlaced() || pod.pod().spec().nodeName().equals(node.name()) ? Status.SUCCESS : OTHER_NODE;
    }

    @Override
    public void filterAll(CycleState state, PodInfo pod, NodeSet candidates, Rejections rejections) {
        if (!pod.pod().isPlaced()) {
            return;
        }
        named.clear();
        int node = cluster.nodes().find(pod.pod().spec().nodeName());
        if (node >= 0) {
            named.add(node);
        }
        rejections.keepOnly(candidates, named, OTHER_NODE);
    }

    @Override
    public FilterDryRun dryRun(PodInfo pod) {
        return pod.pod().isPlaced()
                ? FilterDryRun.ofPodAlone(node -> verdict(pod, cluster.nodes().node(node)))
                : FilterDryRun.PASSES;
    }

    /** A node's name never changes, and neither does that in a pod which waits. */
    @Override
    public List<WakeUp> wakeUps() {
        return List.of(WakeUp.on(this::isNamedNodeAdded, ChangeKind.NODE_ADDED)
                .alike(waiting -> waiting.pod().spec().nodeName())
                .aboutNodeAlone()
                .alsoOfGangs());
    }

    private boolean isNamedNodeAdded(PendingPod waiting, ClusterChange change) {
        return !waiting.pod().isPlaced()
                || change.after(Node.class)
                        .filter(node -> verdict(PodInfo.of(waiting), node).isSuccess())
                        .isPresent();
    }
}
