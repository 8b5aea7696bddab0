package io.evenkeel.lab.bench;

import com.sun.management.ThreadMXBean;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Commitment;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.AtRandom;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.groups.Budget;
import io.evenkeel.groups.GroupDecisions;
import io.evenkeel.groups.JointPlacement;
import io.evenkeel.groups.JointPlacer.JointTerms;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Measures groups twice: where nodes have room for many pods, and where each has room for one. First cold, then warm.
 *
 * @param warmUpPods how many pods are placed, for ten seconds at most, before measuring
 */
record GroupBench(PluginRegistry registry, int warmUpPods) {
    private static final int RUNS = 3;
    private static final int LEAST_GROUPS = 20;
    private static final long MOST_WARM_UP_NANOS = 10_000_000_000L;
    private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    BenchReport run(GroupCase groups) {
        BenchReport report = new BenchReport()
                .line("workload", "%s: %s", groups.id(), groups.description())
                .line(
                        "cluster",
                        "%,d nodes, each where one of %,d racks and one of %,d rows cross",
                        groups.nodes(),
                        groups.racks(),
                        groups.rows())
                .put("workload", groups.id())
                .put("nodes", groups.nodes())
                .put("pods", groups.pods());
        measure(groups, GroupCase.Room.MANY_A_NODE, "many a node", "", report);
        measure(groups, GroupCase.Room.ONE_A_NODE, "one a node", "one_a_node_", report);
        return report.seed(groups.seed());
    }

    /** Adds to the report, with fields that begin with the prefix. */
    private void measure(GroupCase groups, GroupCase.Room room, String label, String prefix, BenchReport report) {
        Run cold = new Run();
        place(groups, room, 1, cold);
        long start = System.nanoTime();
        Run warm = new Run();
        while (warm.pods < warmUpPods && System.nanoTime() - start <= MOST_WARM_UP_NANOS) {
            place(groups, room, Integer.MAX_VALUE, warm);
        }
        Run run = new Run();
        for (int runs = 0; runs < RUNS || (warmUpPods > 0 && run.findNanos.size() < LEAST_GROUPS); runs++) {
            System.gc();
            place(groups, room, Integer.MAX_VALUE, run);
        }
        Collections.sort(run.findNanos);
        Collections.sort(run.findCpuNanos);
        int count = run.findNanos.size();
        double podsPerSecond = run.pods * 1e9 / run.nanos;
        double p50Millis = run.findNanos.get(count / 2) / 1e6;
        double maxMillis = run.findNanos.getLast() / 1e6;
        double p50CpuMillis = run.findCpuNanos.get(count / 2) / 1e6;
        double coldMillis = cold.findNanos.getFirst() / 1e6;
        report.line(
                        label,
                        "%,d groups: %,d of %,d pods placed, %,.0f pods/s",
                        count,
                        run.placed,
                        run.pods,
                        podsPerSecond)
                .line(
                        "ms to find",
                        "p50 %,.1f, max %,.1f; processor p50 %,.1f; the first of all %,.1f",
                        p50Millis,
                        maxMillis,
                        p50CpuMillis,
                        coldMillis)
                .put(prefix + "groups", count)
                .put(prefix + "placed", run.placed)
                .put(prefix + "unschedulable", run.pods - run.placed)
                .put(prefix + "pods_per_s", podsPerSecond, 1)
                .put(prefix + "cpu_us_per_pod", run.cpuNanos / 1e3 / run.pods, 1)
                .put(prefix + "group_ms_p50", p50Millis, 2)
                .put(prefix + "group_ms_max", maxMillis, 2)
                .put(prefix + "group_cpu_ms_p50", p50CpuMillis, 2)
                .put(prefix + "cold_group_ms", coldMillis, 2);
    }

    /**
     * Places groups one after the other on a cluster of its own, as the live scheduler does: finds where all go, then has each
     * decided for its node and commits it.
     */
    private void place(GroupCase groups, GroupCase.Room room, int mostGroups, Run run) {
        Engine engine = new Engine(
                SchedulerConfiguration.defaults(),
                registry,
                new AtRandom(new SplittableRandom(groups.seed())),
                SchedulingCycle.Scoring.WHEN_NEEDED);
        groups.nodes(room).forEach(engine::put);
        int count = Math.min(mostGroups, groups.groups(room));
        for (int number = 0; number < count; number++) {
            List<Pod> pods = groups.group(number);
            Budget budget = Budget.usual(pods.size(), groups.nodes());
            long cpuBefore = THREAD.getCurrentThreadCpuTime();
            long before = System.nanoTime();
            JointPlacement found = new GroupDecisions(engine.forGroups())
                    .find(pods, JointTerms.ALL, budget)
                    .placement();
            long between = System.nanoTime();
            run.findCpuNanos.add(THREAD.getCurrentThreadCpuTime() - cpuBefore);
            run.findNanos.add(between - before);
            if (found instanceof JointPlacement.Placed(List<Seat> order, long _)) {
                for (Seat seat : order) {
                    run.placed += commit(engine, seat) ? 1 : 0;
                }
            }
            run.pods += pods.size();
            run.nanos += System.nanoTime() - before;
            run.cpuNanos += THREAD.getCurrentThreadCpuTime() - cpuBefore;
        }
    }

    private static boolean commit(Engine engine, Seat seat) {
        return new GroupDecisions(engine.forGroups())
                .decideOn(
                        seat,
                        List.of(),
                        decision -> decision instanceof Decision.Placed placed
                                && engine.assume(seat.pod(), placed) instanceof Commitment.Ready);
    }

    /** The sums of what was placed, and by group, what it took to find its placement. */
    private static final class Run {
        private final List<Long> findNanos = new ArrayList<>();
        private final List<Long> findCpuNanos = new ArrayList<>();
        private int placed;
        private int pods;
        private long nanos;
        private long cpuNanos;
    }

    /**
     * Groups of pods that are alike, spread over racks and over rows which cross, both hard with maxSkew 1.
     *
     * @param size pods a group
     * @param nodes of the cluster, one where a rack and a row cross
     * @param pods in all; a rest that makes no whole group is left out
     */
    record GroupCase(int size, int nodes, int pods, long seed) {
        static final String PREFIX = "group-";
        static final int USUAL_NODES = 5_000;
        static final int MOST = 5_000;
        private static final int MOST_PODS_ON_A_NODE = 110;

        /** How much room the nodes have. */
        enum Room {
            MANY_A_NODE(MOST_PODS_ON_A_NODE),
            ONE_A_NODE(1);

            private final int pods;

            Room(int pods) {
                this.pods = pods;
            }
        }

        String id() {
            return PREFIX + size;
        }

        String description() {
            return "groups of " + size
                    + " pods placed together, spread over racks and over rows, maxSkew 1, DoNotSchedule";
        }

        /** As many as there are rows for, of the shape that is nearest to a square. */
        int racks() {
            int racks = (int) Math.sqrt(nodes);
            while (nodes % racks != 0) {
                racks--;
            }
            return racks;
        }

        int rows() {
            return nodes / racks();
        }

        /** Returns for how many of the wanted groups the nodes have room. */
        int groups(GroupCase.Room room) {
            return Math.min(Math.ceilDiv(pods, size), Math.max(1, nodes * room.pods / size / 2));
        }

        List<Node> nodes(GroupCase.Room room) {
            List<Node> all = new ArrayList<>(nodes);
            int rows = rows();
            for (int index = 0; index < nodes; index++) {
                String name = "node-" + index;
                all.add(NodeBuilder.node(name)
                        .hostname(name)
                        .label("rack", "rack-" + index / rows)
                        .label("row", "row-" + index % rows)
                        .allocatable("cpu", "64", "memory", "256Gi", "pods", Integer.toString(room.pods))
                        .build());
            }
            return all;
        }

        /** The pods of a group, built separately at each call. */
        List<Pod> group(int number) {
            String app = id() + "-" + number;
            List<Pod> all = new ArrayList<>(size);
            for (int index = 0; index < size; index++) {
                all.add(PodBuilder.pod(app + "-" + index)
                        .label("app", app)
                        .container("cpu", "100m", "memory", "128Mi")
                        .spread(spread("rack", app))
                        .spread(spread("row", app))
                        .build());
            }
            return all;
        }

        private static TopologySpreadConstraint spread(String key, String app) {
            return TopologySpreadConstraint.of(
                    1, key, WhenUnsatisfiable.DO_NOT_SCHEDULE, LabelSelector.matchingLabels(Labels.of("app", app)));
        }
    }
}
