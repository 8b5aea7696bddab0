package io.evenkeel.plugins;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.Hint;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.HostPorts;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.cluster.shape.PodShapes;
import io.evenkeel.framework.BatchFilterPlugin;
import io.evenkeel.framework.DryRunPlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.LesserPods;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.framework.why.ExplainingPlugin;
import io.evenkeel.model.HostPort;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Keeps pods off nodes where one of their host ports is taken. Two claims conflict where protocol and port are equal
 * and the addresses are, or one of them is every address (0.0.0.0). Ports of containers and of sidecars count.
 */
final class NodePorts implements PreFilterPlugin, BatchFilterPlugin, DryRunPlugin, WakeUpPlugin, ExplainingPlugin {
    static final String NAME = "NodePorts";
    static final PluginFactory FACTORY = TreeContext.factory(NAME, NodePorts.class, NodePorts::new);

    private static final Status TAKEN =
            Status.unschedulable("node(s) didn't have free ports for the requested pod ports");

    private final ClusterView cluster;
    private final HostPorts claims;
    private final PodTable pods;
    private final NodeTable nodes;
    private final LesserPods lesser;
    private final NodeSet taken = new NodeSet();
    private final IntConsumer markTaken = taken::add;

    NodePorts(TreeContext context) {
        cluster = context.cluster();
        claims = cluster.hostPorts();
        pods = cluster.pods();
        nodes = cluster.nodes();
        lesser = LesserPods.of(cluster);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public PreFilterResult preFilter(CycleState state, PendingPod waiting) {
        return wanted(PodInfo.of(waiting)).isEmpty() ? PreFilterResult.SKIP : PreFilterResult.PROCEED;
    }

    @Override
    public Status filter(CycleState state, PendingPod pod, NodeInfo node) {
        return wanted(PodInfo.of(pod)).stream().anyMatch(node::hasTaken) ? TAKEN : Status.SUCCESS;
    }

    @Override
    public void filterAll(CycleState state, PodInfo pod, NodeSet candidates, Rejections rejections) {
        List<HostPort> wanted = wanted(pod);
        if (wanted.isEmpty()) {
            return;
        }
        taken.clear();
        for (int i = 0; i < wanted.size(); i++) {
            for (HostPorts.Claim claim : claims.conflicting(wanted.get(i))) {
                claim.pods().forEachNode(markTaken);
            }
        }
        rejections.reject(candidates, taken, TAKEN);
    }

    @Override
    public FilterDryRun dryRun(PodInfo pod) {
        return wanted(pod).isEmpty() ? FilterDryRun.PASSES : new PortDryRun(wanted(pod));
    }

    private static List<HostPort> wanted(PodInfo pod) {
        return pod.shape().hostPorts().value();
    }

    private static boolean conflict(List<HostPort> some, List<HostPort> others) {
        for (int i = 0; i < some.size(); i++) {
            for (int j = 0; j < others.size(); j++) {
                if (some.get(i).conflictsWith(others.get(j))) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public List<Account> accounts(PodInfo pod) {
        return wanted(pod).stream()
                .<Account>map(port -> {
                    NodeSet users = new NodeSet();
                    claims.conflicting(port).forEach(claim -> claim.pods().forEachNode(users::add));
                    return new Account.Words("host port " + port.protocol() + " " + port.port() + ", taken: "
                            + users.size() + " of " + nodes.count() + " nodes");
                })
                .toList();
    }

    /** All gone that have one of the ports. */
    @Override
    public List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
        return List.of(node.pods().stream()
                .filter(other -> conflict(PodShapes.hostPortsOf(other), wanted(pod)))
                .<Change>map(other -> new PodGone(other, node.name()))
                .toList());
    }

    @Override
    public List<WakeUp> wakeUps() {
        return List.of(
                WakeUp.on(this::hasFreePorts, ChangeKind.NODE_ADDED)
                        .alike(NodePorts::portsAndRank)
                        .aboutNodeAlone()
                        .alsoOfGangs(),
                WakeUp.on(this::hasFreedPorts, ChangeKind.ASSIGNED_POD_DELETED)
                        .alike(NodePorts::portsAndRank)
                        .aboutNodeAlone()
                        .alsoOfGangs(),
                WakeUp.on(Hint.ALWAYS, ChangeKind.OWN_OTHER));
    }

    private static Object portsAndRank(PendingPod waiting) {
        return List.of(PodInfo.of(waiting).shape().hostPorts(), LesserPods.rankOf(waiting.pod()));
    }

    private boolean hasFreePorts(PendingPod waiting, ClusterChange change) {
        return isFreeOn(change.after(Node.class).orElseThrow().name(), waiting);
    }

    private boolean hasFreedPorts(PendingPod waiting, ClusterChange change) {
        Pod gone = change.before(Pod.class).orElseThrow();
        return conflict(PodShapes.hostPortsOf(gone), wanted(PodInfo.of(waiting)))
                && isFreeOn(gone.spec().nodeName(), waiting);
    }

    /** Or would be once those are gone that may have to go for the pod. */
    private boolean isFreeOn(String nodeName, PendingPod waiting) {
        int node = nodes.findPresent(nodeName);
        return node >= 0
                && (wanted(PodInfo.of(waiting)).stream().noneMatch(cluster.nodeInfo(node)::hasTaken)
                        || lesser.passesWithout(dryRun(PodInfo.of(waiting)), node, waiting.pod()));
    }

    /** Counts the pods of a node that have a wanted port. */
    private final class PortDryRun implements FilterDryRun {
        private final List<HostPort> wanted;
        private int inTheWay;

        PortDryRun(List<HostPort> wanted) {
            this.wanted = wanted;
        }

        @Override
        public boolean isLocal() {
            return true;
        }

        @Override
        public boolean begin(int node) {
            inTheWay = 0;
            for (int row = pods.firstOnNode(node); row != PodTable.NONE; row = pods.nextOnNode(row)) {
                count(row, 1);
            }
            return inTheWay > 0;
        }

        @Override
        public void count(int row, int more) {
            inTheWay += conflict(pods.shape(row).value().hostPorts().value(), wanted) ? more : 0;
        }

        @Override
        public boolean addNominated(PodInfo pod) {
            inTheWay += conflict(pod.shape().hostPorts().value(), wanted) ? 1 : 0;
            return true;
        }

        @Override
        public Status verdict() {
            return inTheWay > 0 ? TAKEN : Status.SUCCESS;
        }
    }
}
