package io.evenkeel.plugins.node;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.BatchFilterPlugin;
import io.evenkeel.framework.DryRunPlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.util.List;

/** A pod with {@code spec.nodeName} fits that node only. */
public final class NodeName implements BatchFilterPlugin, DryRunPlugin, WakeUpPlugin {
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
    public Status filter(CycleState state, PendingPod pod, NodeInfo node) {
        return !pod.pod().isPlaced() || isNamed(pod.pod(), node.name()) ? Status.SUCCESS : OTHER_NODE;
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
        if (!pod.pod().isPlaced()) {
            return FilterDryRun.PASSES;
        }
        return FilterDryRun.byPod(node -> isNamed(pod.pod(), cluster.nodes().name(node)) ? Status.SUCCESS : OTHER_NODE);
    }

    private static boolean isNamed(Pod pod, String node) {
        return pod.spec().nodeName().equals(node);
    }

    /** A node's name never changes, and neither does that in a pod which waits. */
    @Override
    public List<WakeUp> wakeUps() {
        return List.of(WakeUp.on(NodeName::isNamedNodeAdded, ChangeKind.NODE_ADDED)
                .alike(waiting -> waiting.pod().spec().nodeName())
                .aboutNodeAlone()
                .alsoOfGangs());
    }

    private static boolean isNamedNodeAdded(PendingPod waiting, ClusterChange change) {
        return !waiting.pod().isPlaced()
                || change.after(Node.class)
                        .filter(node -> isNamed(waiting.pod(), node.name()))
                        .isPresent();
    }
}
