package io.evenkeel.lab.bench;

import com.sun.management.ThreadMXBean;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.AtRandom;
import io.evenkeel.engine.decision.Commitment;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.engine.group.Budget;
import io.evenkeel.engine.group.JointPlacement;
import io.evenkeel.engine.group.JointPlacement.Seat;
import io.evenkeel.engine.group.JointTerms;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.lab.bench.GroupCase.Room;
import io.evenkeel.model.Pod;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Places groups one after the other on a cluster of its own, as the live scheduler does: finds where all go, then has each
 * decided for its node and commits it.
 *
 * @param findNanos by group, what it took to find the placement
 * @param findCpuNanos the same of the processor
 * @param nanos in all
 */
record GroupRun(List<Long> findNanos, List<Long> findCpuNanos, int placed, int pods, long nanos) {

    static GroupRun of(GroupCase groups, Room room, int mostGroups, PluginRegistry registry) {
        Engine engine = new Engine(
                SchedulerConfiguration.defaults(),
                registry,
                new AtRandom(new SplittableRandom(groups.seed())),
                SchedulingCycle.Scoring.WHEN_NEEDED);
        groups.nodes(room).forEach(engine::put);
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<Long> nanos = new ArrayList<>();
        List<Long> cpuNanos = new ArrayList<>();
        int count = Math.min(mostGroups, groups.groups(room));
        int placed = 0;
        long all = 0;
        for (int number = 0; number < count; number++) {
            List<Pod> pods = groups.group(number);
            Budget budget = Budget.usual(pods.size(), groups.nodes());
            long cpuBefore = thread.getCurrentThreadCpuTime();
            long before = System.nanoTime();
            JointPlacement found =
                    engine.groups().find(pods, JointTerms.ALL, budget).placement();
            long between = System.nanoTime();
            cpuNanos.add(thread.getCurrentThreadCpuTime() - cpuBefore);
            nanos.add(between - before);
            if (found instanceof JointPlacement.Placed(List<Seat> order, long _)) {
                for (Seat seat : order) {
                    placed += commit(engine, seat) ? 1 : 0;
                }
            }
            all += System.nanoTime() - before;
        }
        return new GroupRun(nanos, cpuNanos, placed, count * groups.size(), all);
    }

    private static boolean commit(Engine engine, Seat seat) {
        return engine.groups()
                .decideOn(
                        seat,
                        List.of(),
                        decision -> decision instanceof Decision.Placed placed
                                && engine.assume(seat.pod(), placed) instanceof Commitment.Ready);
    }
}
