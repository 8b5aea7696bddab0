package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.index.ShrinkingMap;
import io.evenkeel.cluster.index.Work;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.Node;
import io.evenkeel.model.value.Labels;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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
            new DomainCounterAudit.TopologyAudit(DomainCounters.this, nodes, facts, differences).run();
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

    private boolean countAlike(Node one, Node other) {
        if (!one.labels().equals(other.labels())) {
            return false;
        }
        if (one.taints().equals(other.taints()) && one.unschedulable() == other.unschedulable()) {
            return true;
        }
        for (NodeEligibility.Key key : eligibilities.keySet()) {
            if (key.readsTaints() && key.admits(one) != key.admits(other)) {
                return false;
            }
        }
        return true;
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
                fill(eligibility);
            }
        }
        eligibility.references++;
        return eligibility;
    }

    /** By the labels that topologies know, where these decide: 64 nodes at once. */
    private void fill(NodeEligibility eligibility) {
        List<Topology> labels = eligibility.key().topologyKeys().stream()
                .map(label -> topologies.get(new Topology.Key(label, false)))
                .filter(Objects::nonNull)
                .toList();
        if (eligibility.key().readsLabelsAlone()
                && labels.size() == eligibility.key().topologyKeys().size()) {
            eligibility.start(nodes.present(), labels);
            return;
        }
        for (int node = nodes.present().first();
                node >= 0;
                node = nodes.present().next(node + 1)) {
            eligibility.addNode(node, nodes.node(node));
        }
    }

    private NodeEligibility.Domains acquireDomains(Topology topology, NodeEligibility eligibility) {
        NodeEligibility.Domains.Of key = new NodeEligibility.Domains.Of(topology, eligibility);
        NodeEligibility.Domains domains = eligibleDomains.get(key);
        if (domains == null) {
            domains = new NodeEligibility.Domains(key);
            eligibleDomains.put(key, domains);
            work.addOnce(eligibility.count());
            domains.start();
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

    /** Audits the domain counters: sums the tally up by the labels of the nodes that count. */
    private record DomainCounterAudit(DomainCounters counters, AuditFacts facts, Differences differences) {
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
                        recounted.values().stream()
                                .mapToInt(sum -> sum.pods)
                                .min()
                                .orElse(0));
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
                            () -> name + ", nodes in domain " + id + " " + value,
                            topology.nodeCount(id),
                            expected.size());
                    if (topology.hasNodeSets()) {
                        differences.compare(
                                () -> name + ", node set of domain " + id + " " + value,
                                topology.nodesOf(id),
                                expected);
                    }
                }
                differences.compare(() -> name + ", values of domains", values, recounted.keySet());
                differences.compare(
                        () -> name + ", free domain ids",
                        topology.freeDomains().size(),
                        topology.end() - values.size());
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
}
