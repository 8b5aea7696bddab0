package io.evenkeel.lab.bench;

import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.lab.bench.GroupCase.Room;
import java.util.ArrayList;
import java.util.List;

/** Measures groups twice: where nodes have room for many pods, and where each has room for one. First cold, then warm. */
public final class GroupBench {
    private static final int RUNS = 3;
    private static final int LEAST_GROUPS = 20;
    private static final long MOST_WARM_UP_NANOS = 10_000_000_000L;

    private final PluginRegistry registry;
    private final int warmUpPods;

    /** @param warmUpPods how many pods are placed, for ten seconds at most, before measuring */
    public GroupBench(PluginRegistry registry, int warmUpPods) {
        this.registry = registry;
        this.warmUpPods = warmUpPods;
    }

    public GroupResult run(GroupCase groups) {
        return new GroupResult(groups, measure(groups, Room.MANY_A_NODE), measure(groups, Room.ONE_A_NODE));
    }

    private GroupFigures measure(GroupCase groups, Room room) {
        GroupRun cold = GroupRun.of(groups, room, 1, registry);
        long start = System.nanoTime();
        int warm = 0;
        while (warm < warmUpPods && System.nanoTime() - start <= MOST_WARM_UP_NANOS) {
            warm += GroupRun.of(groups, room, Integer.MAX_VALUE, registry).pods();
        }
        List<GroupRun> runs = new ArrayList<>();
        int measured = 0;
        while (runs.size() < RUNS || (warmUpPods > 0 && measured < LEAST_GROUPS)) {
            System.gc();
            GroupRun run = GroupRun.of(groups, room, Integer.MAX_VALUE, registry);
            runs.add(run);
            measured += run.findNanos().size();
        }
        return GroupFigures.of(runs, cold);
    }
}
