package io.evenkeel.plugins.noderesources;

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
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.HostPorts;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.node.PodTable;
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
import io.evenkeel.model.Container;
import io.evenkeel.model.HostPort;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Keeps pods off nodes where one of their host ports is taken. Two claims conflict where protocol and port are equal
 * and the addresses are, or one of them is every address (0.0.0.0). Ports of containers and of sidecars count.
 */
public final class NodePorts
        implements PreFilterPlugin, BatchFilterPlugin, DryRunPlugin, WakeUpPlugin, ExplainingPlugin {
    public static final String NAME = "NodePorts";
    public static final PluginFactory FACTORY = TreeContext.factory(NAME, NodePorts.class, NodePorts::new);

    static final Status TAKEN = Status.unschedulable("node(s) didn't have free ports for the requested pod ports");

    private final HostPorts claims;
    private final PodTable pods;
    private final NodeTable nodes;
    private final LesserPods lesser;
    private final NodeSet taken = new NodeSet();
    private final IntConsumer markTaken = taken::add;

    public NodePorts(TreeContext context) {
        claims = context.cluster().hostPorts();
        pods = context.cluster().pods();
        nodes = context.cluster().nodes();
        lesser = LesserPods.of(context.cluster());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public PreFilterResult preFilter(CycleState state, PendingPod waiting) {
        PodInfo pod = PodInfo.of(waiting);
        return wanted(pod).isEmpty() ? PreFilterResult.SKIP : PreFilterResult.PROCEED;
    }

    @Override
    public Status filter(CycleState state, PendingPod pod, NodeInfo node) {
        List<HostPort> wanted = hostPortsOf(pod.pod());
        for (Pod other : node.pods()) {
            for (HostPort port : hostPortsOf(other)) {
                if (wanted.stream().anyMatch(port::conflictsWith)) {
                    return TAKEN;
                }
            }
        }
        return Status.SUCCESS;
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
        return wanted(pod).isEmpty() ? FilterDryRun.PASSES : new PortDryRun(pods, wanted(pod));
    }

    private static List<HostPort> wanted(PodInfo pod) {
        return pod.shape().hostPorts().value();
    }

    private static List<HostPort> hostPortsOf(Pod pod) {
        List<HostPort> ports = new ArrayList<>();
        for (Container container : pod.spec().containers()) {
            ports.addAll(container.hostPorts());
        }
        for (Container container : pod.spec().initContainers()) {
            if (container.sidecar()) {
                ports.addAll(container.hostPorts());
            }
        }
        return ports;
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
                .filter(other -> hostPortsOf(other).stream()
                        .anyMatch(port -> wanted(pod).stream().anyMatch(port::conflictsWith)))
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
        List<HostPort> wanted = PodInfo.of(waiting).shape().hostPorts().value();
        return hostPortsOf(gone).stream().anyMatch(port -> wanted.stream().anyMatch(port::conflictsWith))
                && isFreeOn(gone.spec().nodeName(), waiting);
    }

    /** Or would be once those are gone that may have to go for the pod. */
    private boolean isFreeOn(String nodeName, PendingPod waiting) {
        int node = nodes.findPresent(nodeName);
        return node >= 0
                && (wanted(PodInfo.of(waiting)).stream()
                                .flatMap(port -> claims.conflicting(port).stream())
                                .allMatch(claim -> claim.pods().get(node) == 0)
                        || lesser.passesWithout(dryRun(PodInfo.of(waiting)), node, waiting.pod()));
    }

    /** Counts the pods of a node that have a wanted port. */
    private static final class PortDryRun implements FilterDryRun {
        private final PodTable pods;
        private final List<HostPort> wanted;
        private int inTheWay;

        PortDryRun(PodTable pods, List<HostPort> wanted) {
            this.pods = pods;
            this.wanted = wanted;
        }

        @Override
        public boolean isLocal() {
            return true;
        }

        @Override
        public boolean isAlike() {
            return true;
        }

        @Override
        public boolean begin(int node) {
            inTheWay = 0;
            for (int row = pods.firstOnNode(node); row != PodTable.NONE; row = pods.nextOnNode(row)) {
                addPod(row);
            }
            return inTheWay > 0;
        }

        @Override
        public void removePod(int row) {
            inTheWay -= isInTheWay(row) ? 1 : 0;
        }

        @Override
        public void addPod(int row) {
            inTheWay += isInTheWay(row) ? 1 : 0;
        }

        @Override
        public boolean addNominated(PodInfo pod) {
            inTheWay += isWanted(pod.shape().hostPorts().value()) ? 1 : 0;
            return true;
        }

        @Override
        public Status verdict() {
            return inTheWay > 0 ? NodePorts.TAKEN : Status.SUCCESS;
        }

        private boolean isInTheWay(int row) {
            return isWanted(pods.shape(row).value().hostPorts().value());
        }

        private boolean isWanted(List<HostPort> taken) {
            for (int i = 0; i < taken.size(); i++) {
                for (int j = 0; j < wanted.size(); j++) {
                    if (taken.get(i).conflictsWith(wanted.get(j))) {
                        return true;
                    }
                }
            }
            return false;
        }
    }
}
