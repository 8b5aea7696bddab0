package io.evenkeel.hollow.table;

import io.evenkeel.hollow.json.Trees;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Columns of policies in tables, the same as in the definitions of the chart. */
final class PolicyColumns {
    private static final List<Column> POLICY = List.of(
            Column.NAME,
            Column.text(
                    "Selector",
                    row -> Trees.object(row.tree(), "spec", "selector", "matchLabels")
                            .map(Object::toString)
                            .orElse("")),
            Column.text(
                    "Over",
                    row -> Trees.objects(row.tree(), "spec", "rules").stream()
                            .map(rule -> Trees.text(rule, "topologyKey"))
                            .collect(Collectors.joining(","))),
            Column.text("Pods", row -> Trees.text(row.tree(), "status", "pods")),
            Column.text("Waiting", row -> Trees.text(row.tree(), "status", "waiting")),
            Column.text(
                    "Satisfied",
                    row -> Trees.objects(row.tree(), "status", "conditions").stream()
                            .filter(one -> Trees.text(one, "type").equals("Satisfied"))
                            .map(one -> Trees.text(one, "status"))
                            .findFirst()
                            .orElse("")),
            Column.AGE);

    static final Map<String, List<Column>> BY_KIND =
            Map.of("PlacementPolicy", POLICY, "ClusterPlacementPolicy", POLICY);

    private PolicyColumns() {}
}
