package io.evenkeel.lab.bench.perf;

import java.util.OptionalInt;

/**
 * A workload of the reference at some size.
 *
 * @param pods to be measured, beside the pods that come among them
 */
public record PerfCase(PerfWorkload workload, int nodes, int pods, long seed) {
    /** At the reference's own size. */
    public static PerfCase of(PerfWorkload workload, long seed) {
        return new PerfCase(workload, workload.usualNodes(), workload.usualPods(), seed);
    }

    /** As many a node as the reference has. */
    public int residents() {
        return Math.toIntExact((long) workload.row().residents() * nodes / workload.usualNodes());
    }

    /** The rate that the reference's CI demands at this size; empty where it demands none. */
    public OptionalInt floor() {
        boolean isUsual = nodes == workload.usualNodes() && pods == workload.usualPods();
        return isUsual ? workload.floor() : OptionalInt.empty();
    }

    /** With as many pods a node. */
    PerfCase smaller(int mostNodes, int mostPods) {
        int fewerNodes = Math.min(nodes, mostNodes);
        int fewerPods = Math.toIntExact(Math.ceilDiv((long) pods * fewerNodes, nodes));
        return new PerfCase(workload, fewerNodes, Math.min(fewerPods, mostPods), seed);
    }
}
