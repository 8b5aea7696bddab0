package io.evenkeel.lab.bench;

import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import java.util.List;
import java.util.Optional;

/** How full a cluster can be made, and what of. */
final class FillLimits {
    private FillLimits() {}

    /** Why the case's cluster cannot be filled as it asks for; empty where it can, or does not ask. */
    static Optional<String> objection(BenchCase benchCase) {
        if (benchCase.fill() == 0) {
            return Optional.empty();
        }
        Workload workload = benchCase.workload();
        if (workload == Workload.FULL || workload.preempts()) {
            return Optional.of("--fill has no room in " + workload.id() + ", whose nodes are full");
        }
        if (workload == Workload.TRACE_GPU) {
            return Optional.of("--fill is not for trace-gpu: its pods fill its nodes");
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
            case DRA -> PodsDevices.MOST_PODS_ON_A_NODE;
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

    /**
     * The pods that are there before the first is measured: the workload's own first ones, as if they had been placed one after the
     * other, but bound by a rule, since millions of them would take too long. The pods to be measured go on where these end, so that
     * all apps stay of one size. Where the workload's own fit nowhere, basic ones take their place.
     */
    static final class FillingPods {
        private FillingPods() {}

        static List<Pod> of(BenchCase benchCase) {
            BenchCase placeable =
                    benchCase.workload() == Workload.UNSCHEDULABLE ? benchCase.of(Workload.BASIC) : benchCase;
            List<Pod> pods = WorkloadPods.range(placeable, 0, placeable.filled());
            int[] nodes = nodes(placeable);
            for (int index = 0; index < nodes.length; index++) {
                pods.set(
                        index,
                        PodBuilder.from(pods.get(index))
                                .nodeName("node-" + nodes[index])
                                .build());
            }
            return pods;
        }

        /** The number of the node that each pod is on. */
        private static int[] nodes(BenchCase benchCase) {
            return switch (benchCase.workload()) {
                case AFFINITY -> inTheZonesOfTheirApps(benchCase);
                case VOLUMES, DRA -> inTurn(benchCase);
                default -> appByApp(benchCase);
            };
        }

        /**
         * Apps come one after the other, and each one's pods go around the nodes from where the last one's ended. So every node has
         * as many pods; no host, and where zones are of one size no zone, has more than one pod of an app above another; and an app
         * of no more pods than nodes has none twice on a host.
         */
        private static int[] appByApp(BenchCase benchCase) {
            int[] nodes = new int[benchCase.filled()];
            int kinds = benchCase.workload().turns();
            int apps = kinds * benchCase.groups();
            int next = 0;
            for (int kind = 0; kind < kinds; kind++) {
                for (int firstOfApp = kind; firstOfApp < apps; firstOfApp += kinds) {
                    for (int index = firstOfApp; index < nodes.length; index += apps) {
                        nodes[index] = next++ % benchCase.nodes();
                    }
                }
            }
            return nodes;
        }

        /** The apps take turns at the zones, and the pods of a zone's apps at its nodes. */
        private static int[] inTheZonesOfTheirApps(BenchCase benchCase) {
            int[] nodes = new int[benchCase.filled()];
            int zones = benchCase.zones();
            int[] next = new int[zones];
            for (int index = 0; index < nodes.length; index++) {
                int zone = WorkloadPods.group(benchCase, index) % zones;
                nodes[index] = zone + next[zone]++ % WorkloadCluster.nodesOfZone(benchCase, zone) * zones;
            }
            return nodes;
        }

        /** Deals pods out in turn, as the zones of their volumes are, which are the zones of these nodes, and as their devices are. */
        private static int[] inTurn(BenchCase benchCase) {
            int[] nodes = new int[benchCase.filled()];
            for (int index = 0; index < nodes.length; index++) {
                nodes[index] = nodeInTurn(benchCase, index);
            }
            return nodes;
        }

        static int nodeInTurn(BenchCase benchCase, int index) {
            return index % benchCase.nodes();
        }
    }
}
