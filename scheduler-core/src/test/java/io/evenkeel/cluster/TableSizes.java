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
        used.put("node rows", cluster.view().nodes().rowCount());
        used.put("pod rows", cluster.view().pods().count());
        used.put("label classes", cluster.view().selectors().classes().size());
        used.put("groups", cluster.view().selectors().groups().size());
        used.put(
                "indexed groups",
                cluster.view().selectors().groupsByPivot().entries().size());
        used.put(
                "mentioned keys",
                cluster.view().selectors().mentions().size()
                        - cluster.view().selectors().staleKeys());
        used.put("counters", cluster.view().counters().all().size());
        used.put("carried terms", cluster.view().carriedTerms().all().size());
        used.put(
                "indexed terms",
                cluster.view().carriedTerms().termsByPivot().entries().size());
        used.put(
                "affinity rules in use",
                cluster.view().carriedTerms().podsByRules().size()
                        + cluster.view().carriedTerms().pinnedRules().size());
        used.put("host ports", cluster.view().hostPorts().all().size());
        used.put("images", cluster.view().images().all().size());
        used.put("derived", cluster.view().derivations().count());
        used.put("topologies", count(cluster.view().counters().topologies()));
        used.put("eligibilities", count(cluster.view().counters().eligibilities()));
        reserved.put("node rows", cluster.view().nodes().end());
        reserved.put("pod rows", cluster.view().pods().end());
        reserved.put("mentioned keys", cluster.view().selectors().mentions().size());
        reserved.put("resources", cluster.view().resources().count());
        reserved.put("domains", domains(cluster));
        PodShapes shapes = cluster.view().shapes();
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
        for (Topology topology : cluster.view().counters().topologies()) {
            domains += topology.end();
        }
        return domains;
    }
}
