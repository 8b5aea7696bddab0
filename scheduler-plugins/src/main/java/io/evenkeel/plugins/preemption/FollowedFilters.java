package io.evenkeel.plugins.preemption;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.FilterDryRun.FilterDryRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * Filters that can tell what they would say, without the cluster being changed. On each node those alone are followed whose
 * verdict may change as pods leave; of the others the first that objects settles what comes behind it.
 */
final class FollowedFilters implements NodeFilters {
    private static final int NONE = Integer.MAX_VALUE;

    private final FilterDryRuns all;
    private final List<FilterDryRun> followed;
    private final IntFunction<List<PodInfo>> nominatedTo;
    private final FilterDryRun[] runs;
    /** The places of the runs among all filters of the profile. */
    private final int[] positions;
    /** The runs that may change their verdict on this node. */
    private final int[] changing;

    private int changingCount;
    private int settledBy = NONE;
    private Status settled = Status.SUCCESS;
    private int lastPosition;

    /** Follows the filters that pass the test, on nodes without nominated pods. */
    FollowedFilters(FilterDryRuns all, Predicate<FilterDryRun> test) {
        this(all, test, _ -> List.of());
    }

    /** All of them, on nodes where others count that are nominated to these. */
    static FollowedFilters crowded(FilterDryRuns all, IntFunction<List<PodInfo>> nominatedTo) {
        return new FollowedFilters(all, _ -> true, nominatedTo);
    }

    private FollowedFilters(FilterDryRuns all, Predicate<FilterDryRun> test, IntFunction<List<PodInfo>> nominatedTo) {
        this.all = all;
        this.nominatedTo = nominatedTo;
        followed = new ArrayList<>(all.size());
        positions = new int[all.size()];
        for (int place = 0; place < all.size(); place++) {
            if (test.test(all.get(place))) {
                positions[followed.size()] = place;
                followed.add(all.get(place));
            }
        }
        runs = followed.toArray(FilterDryRun[]::new);
        changing = new int[runs.length];
    }

    boolean isEmpty() {
        return runs.length == 0;
    }

    /** Takes out of these nodes those where one of them objects with all pods there; false where one cannot say it of all at once. */
    boolean keepPassing(NodeSet nodes) {
        for (int i = 0; i < runs.length; i++) {
            if (!runs[i].keepPassing(nodes)) {
                return false;
            }
        }
        return true;
    }

    /** Whether it may make a difference to one of them that says it of all at once that this pod leaves. */
    boolean concerns(int row) {
        for (int i = 0; i < runs.length; i++) {
            if (runs[i].concerns(row)) {
                return true;
            }
        }
        return false;
    }

    /** Whether it makes no difference to any of them on this node who leaves. */
    boolean isSettled() {
        return changingCount == 0;
    }

    /** Whether the filters can tell what difference those make who are nominated to the node. */
    boolean canTell(int node) {
        return FilterDryRun.beginBeside(nominatedTo.apply(node), node, followed);
    }

    @Override
    public void begin(int node) {
        settledBy = NONE;
        settled = Status.SUCCESS;
        List<PodInfo> nominated = nominatedTo.apply(node);
        if (nominated.isEmpty()) {
            beginWithoutOthers(node);
            return;
        }
        // each may say something else of it with those nominated as pods leave, though it would not without them
        FilterDryRun.beginBeside(nominated, node, followed);
        for (int i = 0; i < runs.length; i++) {
            changing[i] = i;
        }
        changingCount = runs.length;
    }

    private void beginWithoutOthers(int node) {
        changingCount = 0;
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
            runs[changing[i]].count(row, -1);
        }
    }

    @Override
    public void putBack(int row) {
        for (int i = 0; i < changingCount; i++) {
            runs[changing[i]].count(row, 1);
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
    public String plugin() {
        return lastPosition == NONE ? "" : all.plugin(lastPosition);
    }

    @Override
    public void end() {}
}
