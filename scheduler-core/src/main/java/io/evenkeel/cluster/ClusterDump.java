package io.evenkeel.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * All that can be read of a {@link ClusterState} as text, a line each, in an order that depends on the content alone:
 * equal dumps mean states that no caller can tell apart. To be looked at, and to be compared before and after.
 */
public final class ClusterDump {
    private final ClusterView cluster;
    private final NodeTable nodes;
    private final List<String> lines = new ArrayList<>();

    private ClusterDump(ClusterView cluster) {
        this.cluster = cluster;
        this.nodes = cluster.nodes();
    }

    public static String of(ClusterView cluster) {
        ClusterDump dump = new ClusterDump(cluster);
        dump.nodes();
        dump.pods();
        dump.sorted(new TreeMap<>(cluster.namespaces().all()).entrySet(), labels -> "namespace " + labels);
        dump.sorted(cluster.selectors().groups(), dump::group);
        dump.topologies();
        dump.sorted(cluster.counters().all(), dump::counter);
        dump.sorted(
                cluster.carriedTerms().all(),
                term -> "carried " + term.key() + " "
                        + dump.counts(term.counter().tally().counts()) + " " + dump.counter(term.counter()));
        dump.sorted(cluster.hostPorts().all(), claim -> "claims on " + claim.port() + " " + dump.counts(claim.pods()));
        dump.sorted(
                cluster.images().all().entrySet(),
                image -> "image " + image.getKey() + " of " + image.getValue().sizeBytes() + " bytes on "
                        + image.getValue().nodes());
        dump.derived();
        return String.join("\n", dump.lines);
    }

    private void nodes() {
        for (int node = 0; node < nodes.end(); node++) {
            if (nodes.name(node).isEmpty()) {
                continue;
            }
            String record = nodes.isPresent(node) ? nodes.node(node).toString() : "absent";
            lines.add("node " + nodes.name(node) + " #" + node + " " + record);
            lines.add("  allocatable " + amounts(node, nodes::allocatable) + " pods=" + nodes.allowedPods(node));
            lines.add("  requested " + amounts(node, nodes::requested) + " pods=" + nodes.podCount(node)
                    + " nonZeroCpu=" + nodes.nonZeroCpu(node) + " nonZeroMemory=" + nodes.nonZeroMemory(node));
        }
    }

    private interface Column {
        long amount(int resource, int node);
    }

    private Map<String, Long> amounts(int node, Column column) {
        Map<String, Long> amounts = new TreeMap<>();
        for (int resource = 0; resource < cluster.resources().count(); resource++) {
            if (column.amount(resource, node) != 0) {
                amounts.put(cluster.resources().nameOf(resource), column.amount(resource, node));
            }
        }
        return amounts;
    }

    /** In the order in which they are walked on their nodes. */
    private void pods() {
        PodTable pods = cluster.pods();
        for (int node = 0; node < nodes.end(); node++) {
            for (int row = pods.firstOnNode(node); row != PodTable.NONE; row = pods.nextOnNode(row)) {
                lines.add("pod on " + nodes.name(node) + (pods.isAssumed(row) ? ", assumed, " : " ") + pods.pod(row));
            }
        }
    }

    private void topologies() {
        List<Topology> topologies = new ArrayList<>();
        cluster.counters().topologies().forEach(topologies::add);
        sorted(topologies, topology -> {
            List<String> domains = new ArrayList<>();
            for (int domain = 0; domain < topology.end(); domain++) {
                if (topology.nodeCount(domain) > 0) {
                    domains.add("#" + domain + " " + topology.value(domain) + " " + topology.nodeCount(domain)
                            + (topology.hasNodeSets() ? topology.nodesOf(domain) : ""));
                }
            }
            return topology.key() + " " + domains;
        });
    }

    private String group(SelectorGroup group) {
        return "group " + group.key() + " " + counts(group.tally().counts());
    }

    private String counter(DomainCounter counter) {
        List<String> sums = new ArrayList<>();
        for (int domain = 0; domain < counter.topology().end(); domain++) {
            if (counter.isCounted(domain)) {
                sums.add("#" + domain + "=" + counter.sumOf(domain));
            }
        }
        return "counter " + counter.topology().key() + " "
                + counter.eligibility().key() + counter.eligibility().nodes() + " " + sums + " total "
                + counter.total() + " in " + counter.countedDomains()
                + (counter.keepsMinimum() ? " minimum " + counter.minimum() : "");
    }

    private void derived() {
        for (Derived derived : cluster.derived()) {
            switch (derived) {
                case DerivedMask mask -> lines.add("mask " + mask.current());
                case DerivedGroups groups ->
                    lines.add("groups "
                            + groups.current().stream()
                                    .filter(group -> !group.isEmpty())
                                    .toList());
                case DerivedColumn column -> {
                    int[] values = column.current();
                    NodeCounts counts = new NodeCounts();
                    for (int node = 0; node < nodes.end(); node++) {
                        counts.add(node, values[node]);
                    }
                    lines.add("column " + counts(counts) + " all zero " + column.isAllZero());
                }
            }
        }
    }

    private Map<String, Integer> counts(NodeCounts counts) {
        Map<String, Integer> byName = new TreeMap<>();
        counts.forEachNode(node -> byName.put(AuditFacts.nameOf(nodes, node), counts.get(node)));
        return byName;
    }

    private <T> void sorted(Collection<T> all, Function<T, String> line) {
        all.stream().map(line).sorted().forEach(lines::add);
    }
}
