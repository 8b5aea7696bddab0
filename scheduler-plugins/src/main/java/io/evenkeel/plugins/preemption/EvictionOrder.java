package io.evenkeel.plugins.preemption;

import io.evenkeel.framework.cycle.VictimOrder;
import io.evenkeel.model.Pod;
import java.util.BitSet;
import java.util.Comparator;

/** The order of victims and the budgets of DefaultPreemption, for others who let pods go. */
final class EvictionOrder implements VictimOrder {
    /** A pod told to go that is not deleted yet, as the one who told it leads no more, goes rather than others. */
    private static final Comparator<Pod> TOLD_LAST =
            Comparator.comparing((Pod pod) -> pod.status().isPreempted()).thenComparing(Victims.MOST_IMPORTANT_FIRST);

    private final Budgets budgets;

    EvictionOrder(Budgets budgets) {
        this.budgets = budgets;
    }

    @Override
    public Comparator<Pod> mostImportantFirst() {
        return TOLD_LAST;
    }

    @Override
    public boolean isLeaving(Pod pod) {
        return pod.meta().terminating();
    }

    @Override
    public BitSet violating(int[] rows) {
        boolean[] violating = new boolean[rows.length];
        budgets.markViolating(rows, rows.length, violating);
        BitSet places = new BitSet(rows.length);
        for (int place = 0; place < rows.length; place++) {
            places.set(place, violating[place]);
        }
        return places;
    }
}
