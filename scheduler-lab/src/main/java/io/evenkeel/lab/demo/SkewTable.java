package io.evenkeel.lab.demo;

import io.evenkeel.lab.demo.TextTable.Cell;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Draws what a pod's constraints make of each domain: {@code pods + this one − fewest = skew}, against maxSkew. Counted
 * from the pods, for constraints without minDomains, matchLabelKeys and policies, and a pod that they select.
 */
final class SkewTable {
    private SkewTable() {}

    public static TextTable of(Palette palette, Cluster cluster, Pod pod) {
        TextTable table = TextTable.withHeads("", "pods + this one − fewest = skew", "maxSkew");
        for (TopologySpreadConstraint constraint : pod.spec().topologySpread()) {
            table.rule().row(constraint.topologyKey(), "", String.valueOf(constraint.maxSkew()));
            Map<String, Integer> counts = counts(cluster, pod, constraint);
            int fewest = Collections.min(counts.values());
            counts.forEach((domain, count) -> {
                int skew = count + 1 - fewest;
                String sum = count + " + 1 − " + fewest + " = " + skew;
                Cell verdict = skew <= constraint.maxSkew()
                        ? new Cell("kept", palette::good)
                        : new Cell("exceeded", palette::bad);
                table.row(List.of(Cell.of("  " + domain), Cell.of(sum), verdict));
            });
        }
        return table;
    }

    private static Map<String, Integer> counts(Cluster cluster, Pod pod, TopologySpreadConstraint constraint) {
        Map<String, Integer> counts = new TreeMap<>();
        for (Node node : cluster.nodes()) {
            long matching = cluster.podsOn(node).stream()
                    .filter(other -> other.namespace().equals(pod.namespace()))
                    .filter(other -> constraint.labelSelector().matches(other.labels()))
                    .count();
            counts.merge(node.labels().getOrDefault(constraint.topologyKey(), ""), (int) matching, Integer::sum);
        }
        return counts;
    }
}
