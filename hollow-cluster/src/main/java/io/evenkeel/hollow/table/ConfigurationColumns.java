package io.evenkeel.hollow.table;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is said of data and of rules. */
final class ConfigurationColumns {
    private static final List<Column> BINDING = List.of(
            Column.NAME,
            Column.text(
                    "Role",
                    row -> Trees.text(row.tree(), "roleRef", "kind") + "/" + Trees.text(row.tree(), "roleRef", "name")),
            Column.AGE,
            Column.wide("Users", row -> subjects(row, "User")),
            Column.wide("Groups", row -> subjects(row, "Group")),
            Column.wide("ServiceAccounts", row -> subjects(row, "ServiceAccount")));
    private static final List<Column> ROLE = List.of(
            Column.NAME, Column.text("Created At", row -> Trees.text(row.tree(), "metadata", "creationTimestamp")));

    static final Map<String, List<Column>> BY_KIND = Map.of(
            "ConfigMap",
                    List.of(Column.NAME, Column.text("Data", row -> entries(row, "data", "binaryData")), Column.AGE),
            "Secret",
                    List.of(
                            Column.NAME,
                            Column.text("Type", row -> Trees.text(row.tree(), "type")),
                            Column.text("Data", row -> entries(row, "data")),
                            Column.AGE),
            "Role", ROLE,
            "ClusterRole", ROLE,
            "RoleBinding", BINDING,
            "ClusterRoleBinding", BINDING);

    private ConfigurationColumns() {}

    private static String entries(Row row, String... maps) {
        return Integer.toString(Stream.of(maps)
                .flatMap(map -> Trees.object(row.tree(), map).stream())
                .mapToInt(JsonObject::size)
                .sum());
    }

    private static String subjects(Row row, String kind) {
        return Trees.objects(row.tree(), "subjects").stream()
                .filter(subject -> Trees.text(subject, "kind").equals(kind))
                .map(subject -> {
                    String namespace = Trees.text(subject, "namespace");
                    return (namespace.isEmpty() ? "" : namespace + "/") + Trees.text(subject, "name");
                })
                .collect(Collectors.joining(", "));
    }
}
