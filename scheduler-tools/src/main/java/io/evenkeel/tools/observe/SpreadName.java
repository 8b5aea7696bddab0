package io.evenkeel.tools.observe;

import java.util.Comparator;

/** Tells a workload's constraints apart for people: its revisions, and constraints that are alike in these, are one. */
record SpreadName(Workload workload, String topologyKey, boolean isHard) implements Comparable<SpreadName> {
    private static final Comparator<SpreadName> ORDER = Comparator.comparing(SpreadName::workload)
            .thenComparing(SpreadName::topologyKey)
            .thenComparing(SpreadName::isHard);

    String whenUnsatisfiable() {
        return isHard ? "DoNotSchedule" : "ScheduleAnyway";
    }

    @Override
    public int compareTo(SpreadName other) {
        return ORDER.compare(this, other);
    }
}
