package io.evenkeel.hollow.table;

import io.evenkeel.hollow.json.Trees;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The columns of each kind; a name and an age for kinds not named here. */
final class Columns {

    private static final List<Column> OTHERS = List.of(Column.NAME, Column.AGE);
    private static final Map<String, List<Column>> BY_KIND = Map.of(
            "Pod", PodCells.COLUMNS,
            "Node", NodeCells.COLUMNS,
            "Deployment",
                    List.of(
                            Column.NAME,
                            Column.text("Ready", Columns::readyOfWanted),
                            Column.number("Up-to-date", row -> row.count("status", "updatedReplicas")),
                            Column.number("Available", row -> row.count("status", "availableReplicas")),
                            Column.AGE,
                            Column.wide("Containers", row -> row.ofContainers("name")),
                            Column.wide("Images", row -> row.ofContainers("image")),
                            Column.wide("Selector", row -> row.labels("spec", "selector", "matchLabels"))),
            "ReplicaSet",
                    List.of(
                            Column.NAME,
                            Column.number("Desired", row -> row.count("spec", "replicas")),
                            Column.number("Current", row -> row.count("status", "replicas")),
                            Column.number("Ready", row -> row.count("status", "readyReplicas")),
                            Column.AGE,
                            Column.wide("Containers", row -> row.ofContainers("name")),
                            Column.wide("Images", row -> row.ofContainers("image")),
                            Column.wide("Selector", row -> row.labels("spec", "selector", "matchLabels"))),
            "StatefulSet",
                    List.of(
                            Column.NAME,
                            Column.text("Ready", Columns::readyOfWanted),
                            Column.AGE,
                            Column.wide("Containers", row -> row.ofContainers("name")),
                            Column.wide("Images", row -> row.ofContainers("image"))),
            "Service",
                    List.of(
                            Column.NAME,
                            Column.text("Type", row -> row.textOr("ClusterIP", "spec", "type")),
                            Column.text("Cluster-IP", row -> row.textOr("<none>", "spec", "clusterIP")),
                            Column.text("External-IP", _ -> "<none>"),
                            Column.text("Port(s)", Columns::ports),
                            Column.AGE,
                            Column.wide("Selector", row -> row.labels("spec", "selector"))),
            "Namespace",
                    List.of(
                            Column.NAME,
                            Column.text("Status", row -> Trees.text(row.tree(), "status", "phase")),
                            Column.AGE),
            "Event", EventCells.COLUMNS,
            "Lease",
                    List.of(
                            Column.NAME,
                            Column.text("Holder", row -> Trees.text(row.tree(), "spec", "holderIdentity")),
                            Column.AGE),
            "PriorityClass",
                    List.of(
                            Column.NAME,
                            Column.number("Value", row -> row.count("value")),
                            Column.text("Global-Default", row -> row.textOr("false", "globalDefault")),
                            Column.AGE,
                            Column.text("PreemptionPolicy", row -> Trees.text(row.tree(), "preemptionPolicy"))));
    private static final List<Column> BUDGET = List.of(
            Column.NAME,
            Column.text("Min Available", row -> row.textOr("N/A", "spec", "minAvailable")),
            Column.text("Max Unavailable", row -> row.textOr("N/A", "spec", "maxUnavailable")),
            Column.number("Allowed Disruptions", row -> row.count("status", "disruptionsAllowed")),
            Column.AGE);
    private static final Map<String, List<Column>> ALL = Stream.of(
                    BY_KIND,
                    PolicyColumns.BY_KIND,
                    Map.of("PodDisruptionBudget", BUDGET),
                    StorageColumns.BY_KIND,
                    ConfigurationColumns.BY_KIND)
            .flatMap(columns -> columns.entrySet().stream())
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    private Columns() {}

    static List<Column> of(String kind) {
        return ALL.getOrDefault(kind, OTHERS);
    }

    private static String readyOfWanted(Row row) {
        return row.count("status", "readyReplicas") + "/" + row.count("spec", "replicas");
    }

    private static String ports(Row row) {
        String ports = Trees.objects(row.tree(), "spec", "ports").stream()
                .map(port -> Trees.text(port, "port") + "/"
                        + (Trees.text(port, "protocol").isEmpty() ? "TCP" : Trees.text(port, "protocol")))
                .collect(Collectors.joining(","));
        return ports.isEmpty() ? "<none>" : ports;
    }
}
