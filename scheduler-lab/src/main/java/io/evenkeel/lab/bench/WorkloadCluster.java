package io.evenkeel.lab.bench;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.NodeChoice.AtRandom;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Service;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The cluster that a workload's pods find: equal nodes, dealt out to the zones in turn. */
public final class WorkloadCluster {
    static final String HOSTNAME = "kubernetes.io/hostname";
    static final String ZONE = "topology.kubernetes.io/zone";
    static final int CPUS = 64;
    static final int MOST_PODS_ON_A_NODE = 110;

    /** Of the workload {@link Workload#FULL}, each node of this many has room. */
    private static final int FULL_NODES_PER_FREE_NODE = 50;

    private WorkloadCluster() {}

    /** An engine in the default configuration that has taken the cluster in. All nodes are looked at for each pod. */
    public static Engine start(BenchCase benchCase, PluginRegistry registry) {
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
    public static List<KubernetesObject> objects(BenchCase benchCase) {
        List<KubernetesObject> objects = new ArrayList<>();
        for (int index = 0; index < benchCase.nodes(); index++) {
            String name = "node-" + index;
            objects.add(NodeBuilder.node(name)
                    .hostname(name)
                    .zone(zone(benchCase, index))
                    .allocatable(
                            "cpu",
                            Integer.toString(CPUS),
                            "memory",
                            "256Gi",
                            "pods",
                            Integer.toString(MOST_PODS_ON_A_NODE))
                    .build());
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
}
