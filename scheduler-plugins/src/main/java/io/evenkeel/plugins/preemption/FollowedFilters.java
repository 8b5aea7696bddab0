package io.evenkeel.plugins.preemption;

import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.Status;
import java.util.List;
import java.util.function.Predicate;

/**
 * Filters that can tell what they would say, without the cluster being changed. On each node those alone are followed whose
 * verdict may change as pods leave; of the others the first that objects settles what comes behind it.
 */
final class FollowedFilters implements NodeFilters {
    private static final int NONE = Integer.MAX_VALUE;

    private final FilterDryRun[] runs;
    /** The places of the runs among all filters of the profile. */
    private final int[] positions;
    /** Those of the runs whose verdict may change on this node. */
    private final int[] changing;

    private int changingCount;
    private int settledBy = NONE;
    private Status settled = Status.SUCCESS;
    private int lastPosition;

    /** Those of the filters that pass the test. */
    FollowedFilters(List<FilterDryRun> all, Predicate<FilterDryRun> test) {
        int count = (int) all.stream().filter(test).count();
        runs = new FilterDryRun[count];
        positions = new int[count];
        changing = new int[count];
        int next = 0;
        for (int i = 0; i < all.size(); i++) {
            if (test.test(all.get(i))) {
                positions[next] = i;
                runs[next++] = all.get(i);
            }
        }
    }

    boolean isEmpty() {
        return runs.length == 0;
    }

    /** Whether it makes no difference to any of them on this node who leaves. */
    boolean isSettled() {
        return changingCount == 0;
    }

    @Override
    public void begin(int node) {
        changingCount = 0;
        settledBy = NONE;
        settled = Status.SUCCESS;
        for (int i = 0; i < runs.length && settledBy == NONE; i++) {
            if (runs[i].begin(node)) {
                changing[changingCount++] = i;
            } else if (!runs[i].verdict().isSuccess()) {
                settled = runs[i].verdict();
                settledBy = positions[i];
            }
        }
    }

    @Override
    public void remove(int row) {
        for (int i = 0; i < changingCount; i++) {
            runs[changing[i]].removePod(row);
        }
    }

    @Override
    public void putBack(int row) {
        for (int i = 0; i < changingCount; i++) {
            runs[changing[i]].addPod(row);
        }
    }

    @Override
    public Status verdict() {
        for (int i = 0; i < changingCount; i++) {
            Status verdict = runs[changing[i]].verdict();
            if (!verdict.isSuccess()) {
                lastPosition = positions[changing[i]];
                return verdict;
            }
        }
        lastPosition = settledBy;
        return settled;
    }

    @Override
    public int position() {
        return lastPosition;
    }

    @Override
    public void end() {}
}
