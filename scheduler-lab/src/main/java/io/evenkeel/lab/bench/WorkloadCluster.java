package io.evenkeel.lab.bench;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.NodeChoice.AtRandom;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.lab.bench.FillLimits.FillingPods;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.Service;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** The cluster that a workload's pods find: equal nodes, dealt out to the zones in turn. */
final class WorkloadCluster {
    static final String ZONE = "topology.kubernetes.io/zone";
    static final int CPUS = 64;
    static final int MOST_PODS_ON_A_NODE = 110;

    /** Of the workload {@link Workload#FULL}, each node of this many has room. */
    private static final int FULL_NODES_PER_FREE_NODE = 50;

    private WorkloadCluster() {}

    /** An engine in the default configuration that has taken the cluster in. All nodes are looked at for each pod. */
    static Engine start(BenchCase benchCase, PluginRegistry registry) {
        return start(objects(benchCase), benchCase.seed(), registry);
    }

    /** Starts one with any cluster. */
    static Engine start(List<KubernetesObject> objects, long seed, PluginRegistry registry) {
        Engine engine = new Engine(
                SchedulerConfiguration.defaults(),
                registry,
                new AtRandom(new SplittableRandom(seed)),
                SchedulingCycle.Scoring.WHEN_NEEDED);
        objects.forEach(engine::put);
        return engine;
    }

    /** Nodes, and what else there is before the first pod is to be placed. */
    static List<KubernetesObject> objects(BenchCase benchCase) {
        List<KubernetesObject> objects = new ArrayList<>();
        for (int index = 0; index < benchCase.nodes(); index++) {
            String name = "node-" + index;
            NodeBuilder node = NodeBuilder.node(name).hostname(name).zone(zone(benchCase, index));
            if (benchCase.workload() == Workload.TRACE_GPU) {
                PublishedTrace.ofGpus().withAmounts(node, index, benchCase.nodes());
            } else {
                node.allocatable(
                        "cpu",
                        Integer.toString(CPUS),
                        "memory",
                        "256Gi",
                        "pods",
                        Integer.toString(MOST_PODS_ON_A_NODE));
            }
            objects.add(node.build());
        }
        switch (benchCase.workload()) {
            case DEFAULT_SOFT -> addServices(benchCase, objects);
            case FULL -> addFillers(benchCase, objects);
            case PREEMPTION, PREEMPTION_SPREAD -> FullNodes.addPods(benchCase, objects);
            case PREEMPTION_PDB -> {
                FullNodes.addPods(benchCase, objects);
                FullNodes.addBudgets(objects);
            }
            case VOLUMES -> PodsVolumes.addObjects(benchCase, objects);
            case DRA -> PodsDevices.addObjects(benchCase, objects);
            default -> {}
        }
        objects.addAll(FillingPods.of(benchCase));
        return objects;
    }

    static int nodesOfZone(BenchCase benchCase, int zone) {
        return Math.ceilDiv(benchCase.nodes() - zone, benchCase.zones());
    }

    /** The zone of what is dealt out in turn. */
    static String zone(BenchCase benchCase, int index) {
        return "zone-" + index % benchCase.zones();
    }

    private static void addServices(BenchCase benchCase, List<KubernetesObject> objects) {
        for (int group = 0; group < benchCase.groups(); group++) {
            String app = WorkloadPods.app(Workload.DEFAULT_SOFT, group);
            objects.add(new Service(ObjectMeta.named("default", app), Labels.of(WorkloadPods.APP, app)));
        }
    }

    private static void addFillers(BenchCase benchCase, List<KubernetesObject> objects) {
        for (int index = 0; index < benchCase.nodes(); index++) {
            if (index % FULL_NODES_PER_FREE_NODE != 0) {
                objects.add(PodBuilder.pod("filler-" + index)
                        .container("cpu", Integer.toString(CPUS))
                        .nodeName("node-" + index)
                        .build());
            }
        }
    }

    /**
     * Nodes as preemptors find them: on each twenty pods of three priorities, of a hundred apps, started one after the other, that
     * leave no room for another; and, if wanted, a budget for each app.
     */
    private static final class FullNodes {
        private static final int PODS_A_NODE = 20;
        private static final int[] PRIORITIES = {0, 100, 200};
        private static final int APPS = 100;
        private static final Instant FIRST_START = Instant.parse("2026-01-01T00:00:00Z");

        /** How many may be disturbed of the apps in turn. */
        private static final int[] ALLOWED = {0, 1, 10, 100, 1_000};

        private FullNodes() {}

        static void addPods(BenchCase benchCase, List<KubernetesObject> objects) {
            for (int index = 0; index < benchCase.nodes() * PODS_A_NODE; index++) {
                int number = index / benchCase.nodes();
                objects.add(PodBuilder.pod("resident-" + index)
                        .uid("resident-" + index)
                        .label(WorkloadPods.APP, app(index))
                        .priority(PRIORITIES[number % PRIORITIES.length])
                        .container("cpu", "3200m", "memory", "13107Mi")
                        .nodeName("node-" + index % benchCase.nodes())
                        .status(PodStatusBuilder.running()
                                .startTime(FIRST_START.plusSeconds(index).toString())
                                .build())
                        .build());
            }
        }

        static void addBudgets(List<KubernetesObject> objects) {
            for (int app = 0; app < APPS; app++) {
                objects.add(new PodDisruptionBudget(
                        ObjectMeta.named("default", app(app)),
                        LabelSelector.matchingLabels(Labels.of(WorkloadPods.APP, app(app))),
                        ALLOWED[app % ALLOWED.length],
                        Set.of()));
            }
        }

        /** Neighbours on a node are of different apps, and each app is on many nodes. */
        private static String app(int index) {
            return "resident-" + (index + index / APPS) % APPS;
        }
    }
}
