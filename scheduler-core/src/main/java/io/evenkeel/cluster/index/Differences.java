package io.evenkeel.cluster.index;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Collects what an audit finds, one line for each difference, with both sides. */
public final class Differences {
    private final List<String> lines = new ArrayList<>();

    /** Whole numbers are equal by value, whatever their type. */
    public void compare(Supplier<String> what, Object kept, Object recounted) {
        boolean same = (kept instanceof Number a && recounted instanceof Number b)
                ? a.longValue() == b.longValue()
                : kept.equals(recounted);
        if (!same) {
            lines.add(what.get() + ": kept " + kept + ", recounted " + recounted);
        }
    }

    public void require(boolean holds, Supplier<String> complaint) {
        if (!holds) {
            lines.add(complaint.get());
        }
    }

    public List<String> lines() {
        return List.copyOf(lines);
    }
}
