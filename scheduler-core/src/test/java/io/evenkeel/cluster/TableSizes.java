package io.evenkeel.cluster;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How large the tables of a cluster are.
 *
 * @param used entries in use, which follow what there is
 * @param reserved the highest ids ever given, which follow the most that there ever was at a time
 */
record TableSizes(Map<String, Integer> used, Map<String, Integer> reserved) {

    static TableSizes of(ClusterState cluster) {
        Map<String, Integer> used = new TreeMap<>();
        Map<String, Integer> reserved = new TreeMap<>();
        used.put("node rows", cluster.nodes().rowCount());
        used.put("pod rows", cluster.pods().count());
        used.put("label classes", cluster.selectors().classes().size());
        used.put("groups", cluster.selectors().groups().size());
        used.put("indexed groups", cluster.selectors().groupsByPivot().entries().size());
        used.put(
                "mentioned keys",
                cluster.selectors().mentions().size() - cluster.selectors().staleKeys());
        used.put("counters", cluster.counters().all().size());
        used.put("carried terms", cluster.carriedTerms().all().size());
        used.put(
                "indexed terms", cluster.carriedTerms().termsByPivot().entries().size());
        used.put(
                "affinity loads",
                cluster.carriedTerms().podsByRules().size()
                        + cluster.carriedTerms().heldRules().size());
        used.put("host ports", cluster.hostPorts().all().size());
        used.put("images", cluster.images().all().size());
        used.put("derived", cluster.derived().size());
        used.put("topologies", count(cluster.counters().topologies()));
        used.put("eligibilities", count(cluster.counters().eligibilities()));
        reserved.put("node rows", cluster.nodes().end());
        reserved.put("pod rows", cluster.pods().end());
        reserved.put("mentioned keys", cluster.selectors().mentions().size());
        reserved.put("resources", cluster.resources().count());
        reserved.put("domains", domains(cluster));
        PodShapes shapes = cluster.shapes();
        Map<String, FacetTable<?>> facets = Map.of(
                "shape facets", shapes.shapes(),
                "resource facets", shapes.resources(),
                "toleration facets", shapes.tolerations(),
                "node facets", shapes.nodes(),
                "port facets", shapes.hostPorts(),
                "image facets", shapes.images(),
                "spread facets", shapes.spread(),
                "affinity facets", shapes.affinity());
        facets.forEach((name, table) -> {
            used.put(name, table.size());
            reserved.put(name, table.end());
        });
        return new TableSizes(used, reserved);
    }

    List<String> inUse() {
        return used.entrySet().stream()
                .filter(entry -> entry.getValue() != 0)
                .map(Object::toString)
                .toList();
    }

    private static int count(Iterable<?> all) {
        int count = 0;
        for (Object _ : all) {
            count++;
        }
        return count;
    }

    private static int domains(ClusterState cluster) {
        int domains = 0;
        for (Topology topology : cluster.counters().topologies()) {
            domains += topology.end();
        }
        return domains;
    }
}
