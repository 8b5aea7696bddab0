package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.node.IntLongMap;

/**
 * The number of domains that have each sum, for the smallest of the sums.
 *
 * <p>A pod that comes can only take the last domain away from the minimum, which then steps up to the next sum there
 * is; one that goes can only make a new, lower minimum. So the minimum costs O(1) amortised over pods, however many
 * domains there are.
 *
 * <pre>{@code
 *               domains whose sum is   1  2  3   minimum
 *                                      1  2  1   1
 * move(1, 2)    a pod came             0  3  1   2        nobody is left at 1
 * move(2, 1)    a pod went             1  2  1   1
 * }</pre>
 */
final class SumHistogram {
    private final IntLongMap domainsBySum = new IntLongMap();
    private int domains;
    private int minimum;

    /** The smallest sum, 0 where there is no domain. */
    int minimum() {
        return domains == 0 ? 0 : minimum;
    }

    /** The smallest sum if one domain had more than it has. */
    int minimumIf(int before, int after) {
        if (before != minimum || domainsBySum.get(before) > 1) {
            return minimum;
        }
        int next = before + 1;
        while (next < after && domainsBySum.get(next) == 0) {
            next++;
        }
        return next;
    }

    /** So many more domains, all with this sum. */
    void enter(int sum, int more) {
        if (more == 0) {
            return;
        }
        minimum = domains == 0 ? sum : Math.min(minimum, sum);
        domains += more;
        domainsBySum.add(sum, more);
    }

    void leave(int sum) {
        domains--;
        domainsBySum.add(sum, -1);
        stepUpFrom(sum);
    }

    void move(int before, int after) {
        domainsBySum.add(before, -1);
        domainsBySum.add(after, 1);
        if (after < minimum) {
            minimum = after;
        } else {
            stepUpFrom(before);
        }
    }

    private void stepUpFrom(int sum) {
        if (sum == minimum && domains > 0) {
            while (domainsBySum.get(minimum) == 0) {
                minimum++;
            }
        }
    }
}
