package io.evenkeel.hollow.table;

import io.evenkeel.hollow.json.Trees;
import java.util.List;
import java.util.Locale;

/** What is said of an event in a line, by its stored form. */
final class EventCells {

    static final List<Column> COLUMNS = List.of(
            Column.text("Last Seen", EventCells::lastSeen),
            Column.text("Type", row -> Trees.text(row.tree(), "type")),
            Column.text("Reason", row -> Trees.text(row.tree(), "reason")),
            Column.text("Object", EventCells::object),
            Column.wide("Subobject", row -> Trees.text(row.tree(), "involvedObject", "fieldPath")),
            Column.wide(
                    "Source", row -> row.textOr(Trees.text(row.tree(), "reportingComponent"), "source", "component")),
            Column.text("Message", row -> Trees.text(row.tree(), "message").strip()),
            Column.wide("First Seen", EventCells::firstSeen),
            Column.wide(
                    "Count",
                    row -> Long.toString(Math.max(row.count("series", "count"), Math.max(row.count("count"), 1)))),
            Column.wide("Name", row -> Trees.text(row.tree(), "metadata", "name")));

    private EventCells() {}

    private static String object(Row row) {
        return Trees.text(row.tree(), "involvedObject", "kind").toLowerCase(Locale.ROOT) + "/"
                + Trees.text(row.tree(), "involvedObject", "name");
    }

    private static String lastSeen(Row row) {
        if (Trees.at(row.tree(), "series", "lastObservedTime").isPresent()) {
            return row.since("series", "lastObservedTime");
        }
        return Trees.text(row.tree(), "lastTimestamp").isEmpty() ? firstSeen(row) : row.since("lastTimestamp");
    }

    private static String firstSeen(Row row) {
        return Trees.text(row.tree(), "firstTimestamp").isEmpty()
                ? row.since("eventTime")
                : row.since("firstTimestamp");
    }
}
