package io.evenkeel.tools.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Nodes, pods and what is asked for of cpu and memory, zone by zone, before and after. */
final class ZoneTable {
    private ZoneTable() {}

    static List<String> lines(Answer answer) {
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"Zone", "nodes", "pods", "cpu asked for", "memory asked for"});
        Map<String, Use> zones = new TreeMap<>(answer.zonesBefore());
        answer.zonesAfter().keySet().forEach(zone -> zones.putIfAbsent(zone, Use.none()));
        if (zones.size() > 1 || !zones.containsKey("")) {
            zones.keySet()
                    .forEach(zone -> rows.add(row(
                            zone.isEmpty() ? "in none" : zone,
                            answer.zonesBefore().getOrDefault(zone, Use.none()),
                            answer.zonesAfter().getOrDefault(zone, Use.none()))));
        }
        rows.add(row("all", answer.before(), answer.after()));
        List<String> lines = new ArrayList<>(List.of(""));
        lines.addAll(Columns.of(rows));
        return lines;
    }

    private static String[] row(String name, Use before, Use after) {
        return new String[] {
            name,
            change(String.valueOf(before.nodes()), String.valueOf(after.nodes())),
            change(String.valueOf(before.pods()), String.valueOf(after.pods())),
            change(percent(before.cpuShare(), before), percent(after.cpuShare(), after)),
            change(percent(before.memoryShare(), before), percent(after.memoryShare(), after))
        };
    }

    private static String percent(double share, Use use) {
        return use.nodes() == 0 ? "–" : percent(share);
    }

    static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", share * 100);
    }

    private static String change(String before, String after) {
        return before.equals(after) ? after : before + " → " + after;
    }
}
