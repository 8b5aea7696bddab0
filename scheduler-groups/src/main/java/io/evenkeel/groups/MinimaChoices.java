package io.evenkeel.groups;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The choices of what the emptiest domain of each rule holds in the end, the most even ends first. There are few: with as
 * many domains as pods or fewer, maxSkew leaves about so many for each rule.
 *
 * @param all choices, by rule
 * @param isComplete whether none was left out
 */
record MinimaChoices(List<int[]> all, boolean isComplete) {
    private static final int MOST = 256;

    /** All combinations of what is possible by rule. */
    static MinimaChoices of(List<List<Integer>> byRule) {
        List<int[]> choices = new ArrayList<>();
        choices.add(new int[byRule.size()]);
        boolean complete = true;
        for (int rule = 0; rule < byRule.size(); rule++) {
            List<int[]> longer = new ArrayList<>();
            for (int[] choice : choices) {
                for (int minimum : byRule.get(rule).reversed()) {
                    int[] more = choice.clone();
                    more[rule] = minimum;
                    longer.add(more);
                }
            }
            complete &= longer.size() <= MOST;
            choices = longer.size() <= MOST ? longer : new ArrayList<>(longer.subList(0, MOST));
        }
        choices.sort(Comparator.comparingLong(MinimaChoices::sum).reversed());
        return new MinimaChoices(List.copyOf(choices), complete);
    }

    private static long sum(int[] minima) {
        long sum = 0;
        for (int minimum : minima) {
            sum += minimum;
        }
        return sum;
    }
}
