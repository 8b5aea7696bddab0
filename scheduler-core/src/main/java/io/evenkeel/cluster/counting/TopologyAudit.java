package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.Node;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Audits topologies and eligibilities: what is worked out for each node from its labels and taints. */
final class TopologyAudit {
    private final DomainCounters counters;
    private final NodeTable nodes;
    private final AuditFacts facts;
    private final Differences differences;

    TopologyAudit(DomainCounters counters, NodeTable nodes, AuditFacts facts, Differences differences) {
        this.counters = counters;
        this.nodes = nodes;
        this.facts = facts;
        this.differences = differences;
    }

    /** The value of the domain that the node is in. */
    static Optional<String> domainOf(Node node, Topology.Key topology) {
        Map<String, String> labels = node.labels().asMap();
        return topology.absentIsEmpty()
                ? Optional.of(labels.getOrDefault(topology.label(), ""))
                : Optional.ofNullable(labels.get(topology.label()));
    }

    void run() {
        counters.topologies().forEach(this::checkTopology);
        counters.eligibilities().forEach(this::checkEligibility);
    }

    private void checkTopology(Topology topology) {
        String name = "topology " + topology.key();
        Map<String, NodeSet> recounted = new HashMap<>();
        for (int node = 0; node < nodes.end(); node++) {
            int id = node;
            Node record = facts.nodes().get(node);
            Optional<String> value = record == null ? Optional.empty() : domainOf(record, topology.key());
            value.ifPresent(domain ->
                    recounted.computeIfAbsent(domain, absent -> new NodeSet()).add(id));
            int domain = topology.domainOf(node);
            Optional<String> kept =
                    domain == Topology.NO_DOMAIN ? Optional.empty() : Optional.of(topology.value(domain));
            differences.compare(() -> name + ", domain of node " + facts.nameOf(id), kept, value);
        }
        differences.compare(() -> name + ", number of domains", topology.domainCount(), recounted.size());
        differences.require(topology.references > 0, () -> "kept without a user: " + name);
        checkDomains(topology, recounted);
    }

    /** Ids that are free have no nodes; the others each have a value of their own. */
    private void checkDomains(Topology topology, Map<String, NodeSet> recounted) {
        String name = "topology " + topology.key();
        Set<Integer> free = new HashSet<>(topology.freeDomains());
        Set<String> values = new HashSet<>();
        for (int domain = 0; domain < topology.end(); domain++) {
            int id = domain;
            boolean isFree = free.contains(domain);
            String value = topology.value(domain);
            differences.require(isFree || values.add(value), () -> name + " has two domains " + value);
            NodeSet expected = isFree ? new NodeSet() : recounted.getOrDefault(value, new NodeSet());
            differences.compare(
                    () -> name + ", nodes in domain " + id + " " + value, topology.nodeCount(id), expected.size());
            if (topology.hasNodeSets()) {
                differences.compare(
                        () -> name + ", node set of domain " + id + " " + value, topology.nodesOf(id), expected);
            }
        }
        differences.compare(() -> name + ", values of domains", values, recounted.keySet());
        differences.compare(
                () -> name + ", free domain ids", topology.freeDomains().size(), topology.end() - values.size());
    }

    private void checkEligibility(NodeEligibility eligibility) {
        NodeSet recounted = new NodeSet();
        facts.nodes().forEach((id, node) -> {
            if (eligibility.key().admits(node)) {
                recounted.add(id);
            }
        });
        differences.compare(() -> "eligible nodes of " + eligibility.key(), eligibility.nodes(), recounted);
        differences.require(eligibility.references > 0, () -> "kept without a user: eligibility " + eligibility.key());
    }
}
