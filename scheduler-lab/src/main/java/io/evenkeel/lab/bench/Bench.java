package io.evenkeel.lab.bench;

import io.evenkeel.engine.Engine;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.problem.UserProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Measures a case: first cold, then, after warming up, three times for the record, each time on an engine of its own;
 * the median counts, since whatever else the machine does hits one run or the other. Checks that every placement of
 * these runs was allowed.
 *
 * @param warmUpPods how many pods of the same workload are placed, for ten seconds at most, before measuring
 */
record Bench(PluginRegistry registry, int warmUpPods) {
    private static final int COLD_PODS = 1_000;
    private static final int RUNS = 3;
    private static final int WAKING_PODS = 100;
    private static final int MOST_WARM_UP_NODES = 1_000;
    private static final int MOST_WARM_UP_PODS_AT_ONCE = 10_000;
    private static final long MOST_WARM_UP_NANOS = 10_000_000_000L;

    /**
     * Measures, and says how fast the first pods were.
     *
     * @throws UserProblem if the engine put pods where they must not be
     */
    BenchReport run(BenchCase benchCase) {
        List<KubernetesObject> objects = List.copyOf(benchCase.objects());
        PlacementRun cold = PlacementRun.of(
                WorkloadCluster.start(objects, benchCase.seed(), registry),
                benchCase.firstPods(COLD_PODS).newcomers());
        Figures figures = measure(benchCase, objects);
        String filled =
                benchCase.fill() == 0 ? "" : String.format(Locale.ROOT, ", filled with %,d pods", benchCase.filled());
        BenchReport report = BenchReport.of(benchCase, "", filled)
                .put("fill", benchCase.fill())
                .line(
                        "pods",
                        "%,d of %,d apps: %,d placed, %,d unschedulable",
                        benchCase.pods(),
                        benchCase.groups(),
                        figures.placed(),
                        figures.unschedulable());
        return figures.addTo(
                        report, String.format(Locale.ROOT, "first 1,000 of a cold JVM: %,.0f", cold.podsPerSecond()))
                .put("cold_pods_per_s", cold.podsPerSecond(), 1)
                .put("cold_cpu_us_per_pod", cold.cpuMicros(), 1)
                .seed(benchCase.seed());
    }

    /**
     * Measures.
     *
     * @throws UserProblem if the engine put pods where they must not be
     */
    Figures measure(Scenario scenario) {
        return measure(scenario, List.copyOf(scenario.objects()));
    }

    private Figures measure(Scenario scenario, List<KubernetesObject> objects) {
        warmUp(scenario.smaller(MOST_WARM_UP_NODES, MOST_WARM_UP_PODS_AT_ONCE), warmUpPods);
        List<PlacementRun> runs = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            runs.add(run(scenario, objects));
        }
        runs.sort(Comparator.comparingDouble(PlacementRun::podsPerSecond));
        return Figures.of(runs.get(RUNS / 2));
    }

    private PlacementRun run(Scenario scenario, List<KubernetesObject> objects) {
        Engine engine = WorkloadCluster.start(objects, scenario.seed(), registry);
        scenario.knownBefore().forEach(engine::decide);
        List<Pod> pods = scenario.newcomers();
        System.gc();
        wake(scenario);
        PlacementRun run = PlacementRun.of(engine, pods);
        Set<String> evicted = run.evicted();
        List<KubernetesObject> remaining = objects.stream()
                .filter(object -> !(object instanceof Pod pod && evicted.contains(pod.key())))
                .toList();
        List<String> nodes = new ArrayList<>(run.nodeNames(engine));
        for (int i = 0; i < nodes.size(); i++) {
            if (evicted.contains(pods.get(i).key())) {
                nodes.set(i, "");
            }
        }
        PlacementCheck.check(remaining, pods, nodes);
        return run;
    }

    /**
     * After a full collection the JVM checks compiled methods when they are first called: of those that a pod calls that takes 2.5 ms.
     * Pods of a small cluster call them here, or the first one measured would pay for it.
     */
    private void wake(Scenario scenario) {
        warmUp(scenario.smaller(WAKING_PODS, WAKING_PODS), Math.min(warmUpPods, WAKING_PODS));
    }

    private void warmUp(Scenario smaller, int leastPods) {
        if (leastPods == 0) {
            return;
        }
        List<KubernetesObject> objects = smaller.objects();
        long start = System.nanoTime();
        int placed = 0;
        while (placed < leastPods && System.nanoTime() - start <= MOST_WARM_UP_NANOS) {
            List<Pod> pods = smaller.newcomers();
            PlacementRun.of(WorkloadCluster.start(objects, smaller.seed(), registry), pods);
            placed += pods.size();
        }
    }

    /**
     * The figures of a run.
     *
     * @param p50Micros time that half of the pods took at most
     * @param firstMicros time of the first pod, for which what its like share is worked out
     * @param cpuMicros processor time of the engine's thread for a pod: on a busy machine less than the mean
     * @param bytesPerPod allocated by the engine's thread
     */
    record Figures(
            int placed,
            int unschedulable,
            double podsPerSecond,
            double meanMicros,
            double p50Micros,
            double p99Micros,
            double maxMicros,
            double firstMicros,
            double cpuMicros,
            long bytesPerPod) {

        static Figures of(PlacementRun run) {
            return new Figures(
                    run.placed(),
                    run.pods() - run.placed(),
                    run.podsPerSecond(),
                    run.meanMicros(),
                    run.percentileMicros(0.50),
                    run.percentileMicros(0.99),
                    run.percentileMicros(1.00),
                    run.firstMicros(),
                    run.cpuMicros(),
                    run.bytesPerPod());
        }

        /** Adds them to what is said of the case. */
        BenchReport addTo(BenchReport report, String aboutTheRate) {
            return report.line("pods/s", "%,.0f (%s)", podsPerSecond, aboutTheRate)
                    .line(
                            "µs per pod",
                            "mean %,.1f, p50 %,.1f, p99 %,.1f, max %,.1f; processor %,.1f",
                            meanMicros,
                            p50Micros,
                            p99Micros,
                            maxMicros,
                            cpuMicros)
                    .line("allocated", "%,d bytes per pod", bytesPerPod)
                    .put("placed", placed)
                    .put("unschedulable", unschedulable)
                    .put("pods_per_s", podsPerSecond, 1)
                    .put("us_per_pod_mean", meanMicros, 1)
                    .put("us_per_pod_p50", p50Micros, 1)
                    .put("us_per_pod_p99", p99Micros, 1)
                    .put("us_per_pod_max", maxMicros, 1)
                    .put("us_first_pod", firstMicros, 1)
                    .put("cpu_us_per_pod", cpuMicros, 1)
                    .put("bytes_per_pod", bytesPerPod);
        }
    }

    /** A cluster, and the pods that are to be placed on it one after the other. */
    interface Scenario {
        /** Of all that is random. */
        long seed();

        /** The objects that exist before the first of the pods is to be placed. */
        List<KubernetesObject> objects();

        /** The pods to be placed, built separately at each call. */
        List<Pod> newcomers();

        /** Pods that have been decided once, unmeasured, since their like are there already; built separately at each call. */
        List<Pod> knownBefore();

        /** Returns the scenario at a size at which pods are placed for warming up. */
        Scenario smaller(int mostNodes, int mostNewcomers);
    }
}
