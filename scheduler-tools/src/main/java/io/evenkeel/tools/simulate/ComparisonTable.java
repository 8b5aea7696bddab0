package io.evenkeel.tools.simulate;

import io.evenkeel.app.terminal.Wrapping;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Two configurations side by side. */
record ComparisonTable(int columns) {
    private static final int MOST_SKEWS = 12;

    List<String> lines(Answer ours, Answer.Compared compared) {
        Answer theirs = compared.other();
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"Compared", "this one", compared.name()});
        rows.add(row("placed", ours.placed(), theirs.placed()));
        rows.add(row("pending", ours.pending().size(), theirs.pending().size()));
        rows.add(row(
                "gone for others",
                ours.outcome().evicted().size(),
                theirs.outcome().evicted().size()));
        rows.add(row("moved", ours.moved().size(), theirs.moved().size()));
        rows.add(row("nodes in use", ours.after().inUse(), theirs.after().inUse()));
        rows.add(new String[] {
            "cpu asked for",
            ZoneTable.percent(ours.after().cpuShare()),
            ZoneTable.percent(theirs.after().cpuShare())
        });
        rows.add(new String[] {
            "memory asked for",
            ZoneTable.percent(ours.after().memoryShare()),
            ZoneTable.percent(theirs.after().memoryShare())
        });
        rows.add(new String[] {
            "the fullest node's cpu",
            ZoneTable.percent(ours.after().fullestCpu()),
            ZoneTable.percent(theirs.after().fullestCpu())
        });
        Map<Object, Integer> others = new HashMap<>();
        theirs.skews().forEach(skew -> others.put(List.of(skew.workload(), skew.constraint()), skew.skewAfter()));
        ours.skews().stream().limit(MOST_SKEWS).forEach(skew -> {
            Integer other = others.get(List.of(skew.workload(), skew.constraint()));
            if (other != null) {
                rows.add(row(
                        "skew of " + skew.workload().title() + " over "
                                + skew.constraint().topologyKey(),
                        skew.skewAfter(),
                        other));
            }
        });
        List<String> lines = new ArrayList<>(List.of(""));
        lines.addAll(Columns.of(rows));
        if (ours.skews().size() > MOST_SKEWS) {
            lines.add("and " + (ours.skews().size() - MOST_SKEWS) + " constraints more");
        }
        long different = ours.differsFrom(theirs);
        lines.addAll(Wrapping.wrap(
                different == 0
                        ? "Every pod goes to the same node by both"
                        : different + (different == 1 ? " pod goes" : " pods go") + " elsewhere by this one",
                columns));
        return lines;
    }

    private static String[] row(String name, long ours, long theirs) {
        return new String[] {name, String.valueOf(ours), String.valueOf(theirs)};
    }
}
