package io.evenkeel.world.play;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Makes a failing run tamer as long as it fails: leaves choices out, then makes those that are left smaller. A choice that
 * is left out shifts all that follow, which is seldom a run that makes sense and often one that fails the same.
 *
 * <pre>
 * fails where some choice is above 4:   3 0 9 7 1 0 2   7 choices
 * the second half left out              3 0 9
 * the first two left out                9
 * smaller                               5
 * </pre>
 */
public final class Shrinking {
    private final Predicate<List<Integer>> fails;
    private int runsLeft;
    private List<Integer> best;

    private Shrinking(List<Integer> failing, Predicate<List<Integer>> fails, int mostRuns) {
        this.fails = fails;
        runsLeft = mostRuns;
        best = failing;
    }

    /** The tamest run found that still fails, after so many tries at most. */
    public static List<Integer> of(List<Integer> failing, Predicate<List<Integer>> fails, int mostRuns) {
        Shrinking shrinking = new Shrinking(failing, fails, mostRuns);
        boolean better = true;
        while (better && shrinking.runsLeft > 0) {
            boolean shorter = shrinking.leaveOut();
            boolean smaller = shrinking.lower();
            better = shorter || smaller;
        }
        return shrinking.best;
    }

    private boolean leaveOut() {
        boolean better = false;
        for (int length = Math.max(1, best.size() / 2); length > 0; length /= 2) {
            int from = 0;
            while (from < best.size()) {
                int to = Math.min(best.size(), from + length);
                List<Integer> shorter = new ArrayList<>(best.subList(0, from));
                shorter.addAll(best.subList(to, best.size()));
                if (isBetter(shorter)) {
                    better = true;
                } else {
                    from = to;
                }
            }
        }
        return better;
    }

    private boolean lower() {
        boolean better = false;
        for (int at = 0; at < best.size(); at++) {
            int low = 0;
            // between low, which does not fail, and what does
            while (low < best.get(at)) {
                int middle = (low + best.get(at)) / 2;
                List<Integer> smaller = new ArrayList<>(best);
                smaller.set(at, middle);
                if (isBetter(smaller)) {
                    better = true;
                } else {
                    low = middle + 1;
                }
            }
        }
        return better;
    }

    private boolean isBetter(List<Integer> candidate) {
        if (runsLeft == 0) {
            return false;
        }
        runsLeft--;
        boolean failing = fails.test(candidate);
        if (failing) {
            best = List.copyOf(candidate);
        }
        return failing;
    }
}
