package io.evenkeel.lab.bench;

import java.util.Optional;

/** How full a cluster can be made, and what of. */
public final class FillLimits {
    private FillLimits() {}

    /** Why the case's cluster cannot be filled as it asks for; empty where it can, or does not ask. */
    public static Optional<String> objection(BenchCase benchCase) {
        if (benchCase.fill() == 0) {
            return Optional.empty();
        }
        Workload workload = benchCase.workload();
        if (workload == Workload.FULL || workload.preempts()) {
            return Optional.of("--fill has no room in " + workload.id() + ", whose nodes are full");
        }
        if (workload.sharesZonesEvenly() && benchCase.nodes() % benchCase.zones() != 0) {
            return Optional.of("--fill spreads the pods of " + workload.id() + " over zones of one size: --nodes "
                    + benchCase.nodes() + " is no multiple of --zones " + benchCase.zones());
        }
        int needed = workload.leastGroups(benchCase.nodes(), benchCase.filled());
        if (benchCase.groups() < needed) {
            return Optional.of("--fill " + benchCase.fill() + " of " + workload.id() + " needs " + needed
                    + " apps, --groups is " + benchCase.groups());
        }
        long room = room(benchCase);
        if (room < 0) {
            return Optional.of(
                    "--fill " + benchCase.fill() + " is more pods of " + workload.id() + " than the nodes can have");
        }
        if (room < benchCase.pods() && workload != Workload.UNSCHEDULABLE) {
            return Optional.of(
                    "--fill " + benchCase.fill() + " leaves room for " + room + " pods, --pods is " + benchCase.pods());
        }
        return Optional.empty();
    }

    /** Returns how many more pods have room beside the existing ones; below zero where there is none for these. */
    static long room(BenchCase benchCase) {
        long onNode = switch (benchCase.workload()) {
            case VOLUMES -> PodsVolumes.MOST_PODS_ON_A_NODE;
            default -> WorkloadCluster.MOST_PODS_ON_A_NODE;
        };
        return all(benchCase, onNode) - benchCase.filled();
    }

    private static long all(BenchCase benchCase, long onNode) {
        if (benchCase.workload() != Workload.AFFINITY) {
            return onNode * benchCase.nodes();
        }
        // All of an app are in one zone. The last zone has the fewest nodes, the first the most apps.
        long ofApp = Long.MAX_VALUE;
        for (int zone = 0; zone < benchCase.zones(); zone++) {
            int apps = Math.ceilDiv(benchCase.groups() - zone, benchCase.zones());
            if (apps > 0) {
                ofApp = Math.min(ofApp, onNode * WorkloadCluster.nodesOfZone(benchCase, zone) / apps);
            }
        }
        return ofApp * benchCase.groups();
    }
}
