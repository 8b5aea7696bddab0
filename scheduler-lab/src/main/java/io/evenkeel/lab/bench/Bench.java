package io.evenkeel.lab.bench;

import io.evenkeel.engine.Engine;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Measures a case: first cold, then, after warming up, three times for the record, each time on an engine of its own;
 * the median counts, since whatever else the machine does hits one run or the other. Checks that every placement of
 * these runs was allowed.
 */
public final class Bench {
    private static final int COLD_PODS = 1_000;
    private static final int RUNS = 3;
    private static final int MOST_WARM_UP_NODES = 1_000;
    private static final int MOST_WARM_UP_PODS_AT_ONCE = 10_000;
    private static final long MOST_WARM_UP_NANOS = 10_000_000_000L;

    private final PluginRegistry registry;
    private final int warmUpPods;

    /**
     * A bench with these plugins.
     *
     * @param warmUpPods how many pods of the same workload are placed, for ten seconds at most, before measuring
     */
    public Bench(PluginRegistry registry, int warmUpPods) {
        this.registry = registry;
        this.warmUpPods = warmUpPods;
    }

    /**
     * Measures.
     *
     * @throws ForbiddenPlacementException if the engine put pods where they must not be
     */
    public BenchResult run(BenchCase benchCase) {
        List<KubernetesObject> objects = List.copyOf(WorkloadCluster.objects(benchCase));
        PlacementRun cold = PlacementRun.of(
                WorkloadCluster.start(benchCase, objects, registry), WorkloadPods.of(benchCase.firstPods(COLD_PODS)));
        warmUp(benchCase);

        List<PlacementRun> runs = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            runs.add(measure(benchCase, objects));
        }
        runs.sort(Comparator.comparingDouble(PlacementRun::podsPerSecond));
        return BenchResult.of(benchCase, runs.get(RUNS / 2), cold);
    }

    private PlacementRun measure(BenchCase benchCase, List<KubernetesObject> objects) {
        Engine engine = WorkloadCluster.start(benchCase, objects, registry);
        List<Pod> pods = WorkloadPods.of(benchCase);
        System.gc();
        PlacementRun run = PlacementRun.of(engine, pods);
        Set<String> evicted = run.evicted();
        List<KubernetesObject> remaining = objects.stream()
                .filter(object -> !(object instanceof Pod pod && evicted.contains(pod.key())))
                .toList();
        PlacementCheck.check(remaining, pods, run.nodeNames(engine));
        return run;
    }

    private void warmUp(BenchCase benchCase) {
        BenchCase smaller = smaller(benchCase);
        long start = System.nanoTime();
        for (int placed = 0; placed < warmUpPods; placed += smaller.pods()) {
            if (System.nanoTime() - start > MOST_WARM_UP_NANOS) {
                return;
            }
            PlacementRun.of(WorkloadCluster.start(smaller, registry), WorkloadPods.of(smaller));
        }
    }
    /** As full as the case, and with whole zones, without which a full cluster may not be spread. */
    private static BenchCase smaller(BenchCase benchCase) {
        int nodes = Math.min(benchCase.nodes(), MOST_WARM_UP_NODES);
        int pods = Math.min(benchCase.pods(), MOST_WARM_UP_PODS_AT_ONCE);
        if (benchCase.fill() == 0) {
            return benchCase.resized(nodes, pods);
        }
        int inWholeZones = Math.max(nodes - nodes % benchCase.zones(), benchCase.zones());
        BenchCase smaller = benchCase.resized(inWholeZones, pods);
        return benchCase.resized(inWholeZones, Math.clamp(FillLimits.room(smaller), 1, pods));
    }
}
