package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.index.Work;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.SparseCounts;
import io.evenkeel.cluster.shape.NodeRequirement;
import io.evenkeel.cluster.shape.Tolerations;
import io.evenkeel.model.Node;
import io.evenkeel.model.value.Labels;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;

/**
 * The nodes that a constraint counts: they have all of the topology keys, meet the requirement and are not
 * tainted beyond the tolerations; kept up to date with every node.
 */
public final class NodeEligibility {

    /** Whether nodes count that all pods are to leave. */
    public enum LeavingNodes {
        COUNT,
        IGNORE
    }

    /**
     * The conditions that a counted node must meet.
     *
     * @param topologyKeys labels that a counted node must have, sorted
     * @param requirement {@link NodeRequirement#NONE} where the pod's node affinity is not honoured
     * @param taintsHonoured whether the tolerations matter
     * @param leaving whether nodes count from which all pods are to go
     */
    public record Key(
            List<String> topologyKeys,
            NodeRequirement requirement,
            boolean taintsHonoured,
            Tolerations tolerations,
            LeavingNodes leaving) {

        /** The same, where all nodes count. */
        public Key(
                List<String> topologyKeys,
                NodeRequirement requirement,
                boolean taintsHonoured,
                Tolerations tolerations) {
            this(topologyKeys, requirement, taintsHonoured, tolerations, LeavingNodes.COUNT);
        }

        /** All nodes that have the label. */
        public static Key having(String topologyKey) {
            return new Key(List.of(topologyKey), NodeRequirement.NONE, false, Tolerations.NONE);
        }

        public Key counting(LeavingNodes leavingNodes) {
            return new Key(topologyKeys, requirement, taintsHonoured, tolerations, leavingNodes);
        }

        /** Whether taints or a cordon can make a difference. */
        boolean readsTaints() {
            return taintsHonoured || leaving == LeavingNodes.IGNORE;
        }

        /** Whether the labels of a node decide, and nothing else of it. */
        boolean readsLabelsAlone() {
            return requirement.isUnrestricted() && !readsTaints();
        }

        public boolean admits(Node node) {
            return admits(node, requirement::matches);
        }

        private boolean admits(Node node, Predicate<Node> meetsRequirement) {
            Labels labels = node.labels();
            for (String topologyKey : topologyKeys) {
                if (!labels.has(topologyKey)) {
                    return false;
                }
            }
            return (leaving == LeavingNodes.COUNT || !node.isLeaving())
                    && (requirement.isUnrestricted() || meetsRequirement.test(node))
                    && (!taintsHonoured || tolerations.admitTo(node));
        }
    }

    private final Key key;
    private final Predicate<Node> meetsRequirement;
    private final NodeSet nodes = new NodeSet();
    private int count;
    int references;

    NodeEligibility(Key key, Work work) {
        this.key = key;
        this.meetsRequirement = key.requirement().matcher(work);
    }

    public Key key() {
        return key;
    }

    public boolean includes(int node) {
        return nodes.contains(node);
    }

    public NodeSetView nodes() {
        return nodes;
    }

    /** How many nodes that are. */
    public int count() {
        return count;
    }

    /** Starts with all nodes that have each of these labels, where no more is asked. */
    void start(NodeSetView present, List<Topology> labels) {
        nodes.copyFrom(present);
        labels.forEach(label -> nodes.retainAll(label.nodes()));
        count = nodes.size();
    }

    void addNode(int id, Node node) {
        set(id, key.admits(node, meetsRequirement));
    }

    void removeNode(int id) {
        set(id, false);
    }

    private void set(int id, boolean counts) {
        if (counts != nodes.contains(id)) {
            nodes.set(id, counts);
            count += counts ? 1 : -1;
        }
    }

    /**
     * How many eligible nodes each domain of a topology has: the domains that counters count are those with any. One serves
     * all counters of its topology and eligibility, however many groups of pods they count.
     *
     * <p>A bit says that a domain has a node, and counts say how many more: with host names there are none.
     */
    static final class Domains {

        record Of(Topology topology, NodeEligibility eligibility) {}

        private final Of of;
        private final BitSet counted = new BitSet();
        private final SparseCounts.Writer moreNodes = SparseCounts.create();
        private int count;
        int references;

        Domains(Of of) {
            this.of = of;
        }

        Of of() {
            return of;
        }

        /** How many domains have an eligible node. */
        int count() {
            return count;
        }

        boolean isCounted(int domain) {
            return counted.get(domain);
        }

        int nodesIn(int domain) {
            return counted.get(domain) ? 1 + moreNodes.counts().get(domain) : 0;
        }

        /** Starts with the nodes that there are, at once where each is a domain of its own, as with host names. */
        void start() {
            Topology topology = of.topology;
            if (topology.domainCount() == topology.nodeCount() && of.eligibility.count == topology.nodeCount()) {
                counted.set(0, topology.end());
                topology.freeDomains().forEach(counted::clear);
                count = topology.domainCount();
                return;
            }
            NodeSetView eligible = of.eligibility.nodes();
            for (int node = eligible.first(); node >= 0; node = eligible.next(node + 1)) {
                addNode(node);
            }
        }

        /** To be told after the topology and the eligibility, and before the counters. */
        void addNode(int node) {
            if (!of.eligibility.includes(node)) {
                return;
            }
            int domain = of.topology.domainOf(node);
            if (counted.get(domain)) {
                moreNodes.add(domain, 1);
            } else {
                counted.set(domain);
                count++;
            }
        }

        /** To be told after the counters, and before the topology and the eligibility. */
        void removeNode(int node) {
            if (!of.eligibility.includes(node)) {
                return;
            }
            int domain = of.topology.domainOf(node);
            if (moreNodes.counts().get(domain) > 0) {
                moreNodes.add(domain, -1);
            } else {
                counted.clear(domain);
                count--;
            }
        }
    }
}
