package io.evenkeel.hollow.table;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What is said of a node in a line. */
final class NodeCells {

    private static final String ROLE = "node-role.kubernetes.io/";

    static final List<Column> COLUMNS = List.of(
            Column.NAME,
            Column.text("Status", NodeCells::status),
            Column.text("Roles", NodeCells::roles),
            Column.AGE,
            Column.text("Version", row -> Trees.text(row.tree(), "status", "nodeInfo", "kubeletVersion")),
            Column.wide("Internal-IP", row -> address(row, "InternalIP")),
            Column.wide("External-IP", row -> address(row, "ExternalIP")),
            Column.wide("OS-Image", row -> row.textOr("<unknown>", "status", "nodeInfo", "osImage")),
            Column.wide("Kernel-Version", row -> row.textOr("<unknown>", "status", "nodeInfo", "kernelVersion")),
            Column.wide(
                    "Container-Runtime",
                    row -> row.textOr("<unknown>", "status", "nodeInfo", "containerRuntimeVersion")));

    private NodeCells() {}

    private static String status(Row row) {
        Optional<String> ready = Trees.objects(row.tree(), "status", "conditions").stream()
                .filter(each -> Trees.text(each, "type").equals("Ready"))
                .map(each -> Trees.text(each, "status"))
                .findFirst();
        String shown = ready.map(status -> status.equals("True") ? "Ready" : "NotReady")
                .orElse("Unknown");
        return Trees.isTrue(row.tree(), "spec", "unschedulable") ? shown + ",SchedulingDisabled" : shown;
    }

    private static String roles(Row row) {
        String roles = Trees.object(row.tree(), "metadata", "labels").map(JsonObject::keySet).stream()
                .flatMap(keys -> keys.stream())
                .filter(key -> key.startsWith(ROLE))
                .map(key -> key.substring(ROLE.length()))
                .sorted()
                .collect(Collectors.joining(","));
        return roles.isEmpty() ? "<none>" : roles;
    }

    private static String address(Row row, String type) {
        return Trees.objects(row.tree(), "status", "addresses").stream()
                .filter(each -> Trees.text(each, "type").equals(type))
                .map(each -> Trees.text(each, "address"))
                .findFirst()
                .orElse("<none>");
    }
}
