package io.evenkeel.hollow.table;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import java.util.List;

/** What is said of a pod in a line. */
final class PodCells {

    static final List<Column> COLUMNS = List.of(
            Column.NAME,
            Column.text("Ready", PodCells::ready),
            Column.text("Status", PodCells::status),
            Column.text(
                    "Restarts",
                    row -> Long.toString(containers(row).stream()
                            .mapToLong(
                                    each -> Trees.number(each, "restartCount").orElse(0L))
                            .sum())),
            Column.AGE,
            Column.wide("IP", row -> row.textOr("<none>", "status", "podIP")),
            Column.wide("Node", row -> row.textOr("<none>", "spec", "nodeName")),
            Column.wide("Nominated Node", row -> row.textOr("<none>", "status", "nominatedNodeName")),
            Column.wide("Readiness Gates", _ -> "<none>"));

    private PodCells() {}

    private static String ready(Row row) {
        long ready = containers(row).stream()
                .filter(each -> Trees.isTrue(each, "ready"))
                .count();
        return ready + "/" + Trees.objects(row.tree(), "spec", "containers").size();
    }

    private static String status(Row row) {
        if (Trees.at(row.tree(), "metadata", "deletionTimestamp").isPresent()) {
            return "Terminating";
        }
        boolean gated = Trees.objects(row.tree(), "status", "conditions").stream()
                .anyMatch(each -> Trees.text(each, "type").equals("PodScheduled")
                        && Trees.text(each, "reason").equals("SchedulingGated"));
        if (gated) {
            return "SchedulingGated";
        }
        String phase = row.textOr("Unknown", "status", "phase");
        boolean bound = Trees.at(row.tree(), "spec", "nodeName").isPresent();
        String shown = phase.equals("Pending") && bound ? "ContainerCreating" : phase;
        return row.textOr(phase.equals("Succeeded") ? "Completed" : shown, "status", "reason");
    }

    private static List<JsonObject> containers(Row row) {
        return Trees.objects(row.tree(), "status", "containerStatuses");
    }
}
