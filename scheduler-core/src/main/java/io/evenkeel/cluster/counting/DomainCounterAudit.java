package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.Node;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Audits the domain counters: sums the tally up by the labels of the nodes that count. */
record DomainCounterAudit(DomainCounters counters, AuditFacts facts, Differences differences) {
    private static final class Sum {
        int pods;
        int nodes;
    }

    void run() {
        Set<Topology> topologies = Collections.newSetFromMap(new IdentityHashMap<>());
        counters.topologies().forEach(topologies::add);
        Set<NodeEligibility> eligibilities = Collections.newSetFromMap(new IdentityHashMap<>());
        counters.eligibilities().forEach(eligibilities::add);
        IdentityHashMap<NodeEligibility, Integer> users = new IdentityHashMap<>();
        IdentityHashMap<NodeEligibility.Domains, Integer> usersOfDomains = new IdentityHashMap<>();
        for (DomainCounter counter : counters.all()) {
            String name = nameOf(counter);
            check(counter, name);
            users.merge(counter.eligibility(), 1, Integer::sum);
            usersOfDomains.merge(counter.domains(), 1, Integer::sum);
            differences.require(counter.references > 0, () -> "kept without a user: " + name);
            differences.require(
                    topologies.contains(counter.topology()) && eligibilities.contains(counter.eligibility()),
                    () -> name + " sums up by a topology or an eligibility that was dropped");
            differences.require(
                    Collections.frequency(counter.tally().counters(), counter) == 1,
                    () -> name + " is not told once of each change of its tally");
        }
        eligibilities.forEach(eligibility -> differences.compare(
                () -> "counters that use eligibility " + eligibility.key(),
                eligibility.references,
                users.getOrDefault(eligibility, 0)));
        counters.eligibleDomains()
                .forEach(domains -> differences.compare(
                        () -> "counters that use the domains of " + domains.of(),
                        domains.references,
                        usersOfDomains.getOrDefault(domains, 0)));
    }

    private static String nameOf(DomainCounter counter) {
        return "counter by " + counter.topology().key() + " of "
                + counter.eligibility().key();
    }

    private void check(DomainCounter counter, String name) {
        Map<String, Sum> recounted = recount(counter, name);
        Topology topology = counter.topology();
        Set<Integer> free = new HashSet<>(topology.freeDomains());
        for (int domain = 0; domain < topology.end(); domain++) {
            String value = topology.value(domain);
            Sum sum = free.contains(domain) ? new Sum() : recounted.getOrDefault(value, new Sum());
            differences.compare(() -> name + ", sum of domain " + value, counter.sumOf(domain), sum.pods);
            differences.compare(
                    () -> name + ", eligible nodes of domain " + value, counter.eligibleNodes(domain), sum.nodes);
            differences.compare(
                    () -> name + ", whether domain " + value + " counts", counter.isCounted(domain), sum.nodes > 0);
        }
        differences.compare(() -> name + ", domains that count", counter.countedDomains(), recounted.size());
        differences.compare(
                () -> name + ", total",
                counter.total(),
                recounted.values().stream().mapToLong(sum -> sum.pods).sum());
        if (counter.keepsMinimum()) {
            differences.compare(
                    () -> name + ", minimum",
                    counter.minimum(),
                    recounted.values().stream().mapToInt(sum -> sum.pods).min().orElse(0));
        }
    }

    private Map<String, Sum> recount(DomainCounter counter, String name) {
        Map<String, Sum> sums = new HashMap<>();
        facts.nodes().forEach((id, node) -> {
            if (counter.eligibility().key().admits(node)) {
                Optional<String> value =
                        TopologyAudit.domainOf(node, counter.topology().key());
                differences.require(
                        value.isPresent(), () -> name + " counts node " + node.name() + ", which is in no domain");
                Sum sum = sums.computeIfAbsent(value.orElse(""), domain -> new Sum());
                sum.pods += counter.tally().countOn(id);
                sum.nodes++;
            }
        });
        return sums;
    }

    /** Audits topologies and eligibilities: what is worked out for each node from its labels and taints. */
    record TopologyAudit(DomainCounters counters, NodeTable nodes, AuditFacts facts, Differences differences) {
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
                value.ifPresent(domain -> recounted
                        .computeIfAbsent(domain, absent -> new NodeSet())
                        .add(id));
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
            differences.require(
                    eligibility.references > 0, () -> "kept without a user: eligibility " + eligibility.key());
        }
    }
}
