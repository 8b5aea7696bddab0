package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.counting.DomainCounterAudit.TopologyAudit;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.index.ShrinkingMap;
import io.evenkeel.cluster.index.Work;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.Node;
import io.evenkeel.model.value.Labels;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * All topologies, eligibilities and domain counters that somebody uses. Each exists once for all its users and goes
 * with the last of them. Making one costs a pass over the nodes, but where no node has the label, which costs nothing,
 * and for a counter whose domains are counted already: that
 * costs a pass over the nodes with its pods. A node that changes passes through all of them.
 */
public final class DomainCounters {
    private final NodeTable nodes;
    private final Work work;
    private final Map<String, Integer> nodesByLabelKey = new ShrinkingMap<>();
    private final Map<Topology.Key, Topology> topologies = new ShrinkingMap<>();
    private final Map<NodeEligibility.Key, NodeEligibility> eligibilities = new ShrinkingMap<>();
    private final Map<NodeEligibility.Domains.Of, NodeEligibility.Domains> eligibleDomains = new ShrinkingMap<>();
    private final DomainCounter.WrittenSums writtenSums = new DomainCounter.WrittenSums();
    private final Map<DomainCounter.Key, DomainCounter> counters = new ShrinkingMap<>();

    private DomainCounters(NodeTable nodes, Work work) {
        this.nodes = nodes;
        this.work = work;
    }

    /** Starts without counters; the caller is to keep them. */
    public static Writer create(NodeTable nodes, Work work) {
        return new DomainCounters(nodes, work).new Writer();
    }

    public Topology acquireTopology(Topology.Key key) {
        Topology topology = topologies.get(key);
        if (topology == null) {
            topology = new Topology(key);
            topologies.put(key, topology);
            if (key.absentIsEmpty() || isOfNodes(key.label())) {
                work.addOnce(nodes.count());
                for (int node = nodes.present().first();
                        node >= 0;
                        node = nodes.present().next(node + 1)) {
                    topology.addNode(node, nodes);
                }
            }
        }
        topology.references++;
        return topology;
    }

    public void release(Topology topology) {
        if (--topology.references == 0) {
            topologies.remove(topology.key());
        }
    }

    /** Whether any node has such a label. */
    public boolean isOfNodes(String labelKey) {
        return nodesByLabelKey.containsKey(labelKey);
    }

    /** A counter of the tally; the eligibility must leave out nodes that are in no domain of the topology. */
    public DomainCounter acquire(
            PodTally tally, Topology.Key topologyKey, NodeEligibility.Key eligibilityKey, boolean minimumWanted) {
        work.addOnce(1);
        Topology topology = acquireTopology(topologyKey);
        NodeEligibility eligibility = acquireEligibility(eligibilityKey);
        DomainCounter.Key key = new DomainCounter.Key(tally, topology, eligibility, minimumWanted);
        DomainCounter counter = counters.get(key);
        if (counter == null) {
            counter = new DomainCounter(key, acquireDomains(topology, eligibility), writtenSums);
            counters.put(key, counter);
            tally.attach(counter);
            work.addOnce(tally.counts().size());
        } else {
            release(topology);
            release(eligibility);
        }
        counter.references++;
        return counter;
    }

    public void release(DomainCounter counter) {
        if (--counter.references > 0) {
            return;
        }
        counters.remove(counter.key());
        counter.tally().detach(counter);
        release(counter.domains());
        release(counter.topology());
        release(counter.eligibility());
    }

    Collection<DomainCounter> all() {
        return counters.values();
    }

    Iterable<Topology> topologies() {
        return topologies.values();
    }

    Iterable<NodeEligibility> eligibilities() {
        return eligibilities.values();
    }

    Iterable<NodeEligibility.Domains> eligibleDomains() {
        return eligibleDomains.values();
    }

    /** Keeps them up to date with the nodes; made with them, and not to be had from them. */
    public final class Writer implements ClusterIndex {
        private Writer() {}

        public DomainCounters counters() {
            return DomainCounters.this;
        }

        @Override
        public void nodeChanged(int node, Optional<Node> before, Optional<Node> after) {
            if (before.isPresent() && after.isPresent() && countAlike(before.get(), after.get())) {
                return;
            }
            if (before.isPresent()) {
                removeNode(node);
                countKeys(before.get().labels(), -1);
            }
            if (after.isPresent()) {
                addNode(node);
                countKeys(after.get().labels(), 1);
            }
        }

        @Override
        public void audit(AuditFacts facts, Differences differences) {
            new TopologyAudit(DomainCounters.this, nodes, facts, differences).run();
            new DomainCounterAudit(DomainCounters.this, facts, differences).run();
        }

        @Override
        public void describe(AuditFacts facts, Consumer<String> line) {
            topologies.values().forEach(topology -> line.accept(topology.description()));
            counters.values().stream().map(DomainCounter::description).sorted().forEach(line);
        }
    }

    private void countKeys(Labels labels, int delta) {
        for (int i = 0; i < labels.size(); i++) {
            int nodesWithKey = nodesByLabelKey.merge(labels.keyAt(i), delta, Integer::sum);
            if (nodesWithKey == 0) {
                nodesByLabelKey.remove(labels.keyAt(i));
            }
        }
    }

    private static boolean countAlike(Node one, Node other) {
        return one.labels().equals(other.labels())
                && one.taints().equals(other.taints())
                && one.unschedulable() == other.unschedulable();
    }

    private void addNode(int node) {
        work.addOnce(counters.size());
        for (Topology topology : topologies.values()) {
            topology.addNode(node, nodes);
        }
        for (NodeEligibility eligibility : eligibilities.values()) {
            eligibility.addNode(node, nodes.node(node));
        }
        for (NodeEligibility.Domains domains : eligibleDomains.values()) {
            domains.addNode(node);
        }
        for (DomainCounter counter : counters.values()) {
            counter.addNode(node);
        }
    }

    private void removeNode(int node) {
        work.addOnce(counters.size());
        for (DomainCounter counter : counters.values()) {
            counter.removeNode(node);
        }
        for (NodeEligibility.Domains domains : eligibleDomains.values()) {
            domains.removeNode(node);
        }
        for (Topology topology : topologies.values()) {
            topology.removeNode(node);
        }
        for (NodeEligibility eligibility : eligibilities.values()) {
            eligibility.removeNode(node);
        }
    }

    private NodeEligibility acquireEligibility(NodeEligibility.Key key) {
        NodeEligibility eligibility = eligibilities.get(key);
        if (eligibility == null) {
            eligibility = new NodeEligibility(key, work);
            eligibilities.put(key, eligibility);
            work.addOnce(key.topologyKeys().size());
            if (nodesByLabelKey.keySet().containsAll(key.topologyKeys())) {
                work.addOnce(nodes.count());
                for (int node = nodes.present().first();
                        node >= 0;
                        node = nodes.present().next(node + 1)) {
                    eligibility.addNode(node, nodes.node(node));
                }
            }
        }
        eligibility.references++;
        return eligibility;
    }

    private NodeEligibility.Domains acquireDomains(Topology topology, NodeEligibility eligibility) {
        NodeEligibility.Domains.Of key = new NodeEligibility.Domains.Of(topology, eligibility);
        NodeEligibility.Domains domains = eligibleDomains.get(key);
        if (domains == null) {
            domains = new NodeEligibility.Domains(key);
            eligibleDomains.put(key, domains);
            NodeSetView eligible = eligibility.nodes();
            for (int node = eligible.first(); node >= 0; node = eligible.next(node + 1)) {
                domains.addNode(node);
                work.addOnce(1);
            }
        }
        domains.references++;
        return domains;
    }

    private void release(NodeEligibility.Domains domains) {
        if (--domains.references == 0) {
            eligibleDomains.remove(domains.of());
        }
    }

    private void release(NodeEligibility eligibility) {
        if (--eligibility.references == 0) {
            eligibilities.remove(eligibility.key());
        }
    }
}
