package io.evenkeel.lab.bench;

import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * A workload of the reference at some size.
 *
 * @param pods to be measured, beside the pods that come among them
 * @param registry by which residents are put where the engine would have put them
 */
public record PerfCase(PerfWorkload workload, int nodes, int pods, long seed, PluginRegistry registry)
        implements Scenario {
    /** At the reference's own size. */
    public static PerfCase of(PerfWorkload workload, long seed, PluginRegistry registry) {
        return new PerfCase(workload, workload.usualNodes(), workload.usualPods(), seed, registry);
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

    @Override
    public List<KubernetesObject> objects() {
        List<KubernetesObject> cluster = PerfCluster.objects(this);
        List<KubernetesObject> objects = new ArrayList<>(cluster);
        objects.addAll(Residents.placed(cluster, PerfPods.residents(this), seed, registry));
        return objects;
    }

    @Override
    public List<Pod> newcomers() {
        return PerfPods.newcomers(this);
    }

    @Override
    public List<Pod> knownBefore() {
        return List.of();
    }

    /** With as many pods a node. */
    @Override
    public PerfCase smaller(int mostNodes, int mostPods) {
        int fewerNodes = Math.min(nodes, mostNodes);
        int fewerPods = Math.toIntExact(Math.ceilDiv((long) pods * fewerNodes, nodes));
        return new PerfCase(workload, fewerNodes, Math.min(fewerPods, mostPods), seed, registry);
    }

    /** Measures it. */
    public BenchReport measured(Bench bench) {
        Figures figures = bench.measure(this);
        OptionalInt floor = floor();
        String aboutTheRate = floor.isPresent()
                ? "kube-scheduler's CI, whole scheduler: at least " + floor.getAsInt()
                : "kube-scheduler's CI demands no rate of this size";
        BenchReport report = new BenchReport()
                .line("workload", "%s of Kubernetes' scheduler_perf", workload.id())
                .line("cluster", "%,d nodes with %,d pods on them", nodes, residents())
                .line(
                        "pods",
                        "%,d: %,d placed, %,d unschedulable",
                        figures.placed() + figures.unschedulable(),
                        figures.placed(),
                        figures.unschedulable())
                .put("workload", workload.id())
                .put("nodes", nodes)
                .put("pods", pods)
                .put("residents", residents());
        figures.addTo(report, aboutTheRate);
        floor.ifPresent(rate -> report.put("reference_floor", rate));
        return report.seed(seed);
    }
}
