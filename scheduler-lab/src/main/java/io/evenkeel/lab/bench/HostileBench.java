package io.evenkeel.lab.bench;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.lab.bench.HostileBench.Delays;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Places pods, lets a tenant create what it means harm with, and places the same pods again, while its pods go and come back. */
record HostileBench(PluginRegistry registry) {
    private static final int WARM_UPS = 3;
    /** Until then all that a tenant has created is tried, before the others come. */
    private static final Duration ALONE = Duration.ofSeconds(30);

    /** Whether the workload has a hostile tenant. */
    static boolean measures(Workload workload) {
        return HostileObjects.areOf(workload);
    }

    BenchReport run(BenchCase benchCase) {
        SharedCluster cluster = new SharedCluster(benchCase, registry);
        List<Pod> pods = WorkloadPods.of(benchCase).stream()
                .map(pod -> PodBuilder.from(pod).uid(pod.name()).build())
                .toList();
        for (int i = 0; i < WARM_UPS; i++) {
            cluster.place(pods, List.of());
        }
        Delays before = cluster.place(pods, List.of());
        double usedBefore = usedMegabytes();
        long start = System.nanoTime();
        List<Pod> hostile = cluster.takeIn(HostileObjects.of(benchCase), ALONE);
        double seconds = (System.nanoTime() - start) / 1e9;
        double kept = usedMegabytes() - usedBefore;
        int placed = cluster.live().placed();
        QueueCounts queue = cluster.live().queue();
        int waiting = queue.active() + queue.backoff() + queue.unschedulable() + queue.gated();
        for (int i = 0; i < WARM_UPS; i++) {
            cluster.place(pods, hostile); // so that what the tenant does is compiled, too
        }
        Delays after = cluster.place(pods, hostile);
        BenchReport report = BenchReport.of(benchCase, "", "")
                .line("hostile pods", "%,d placed, %,d waiting; %,.1f s, %,.0f MB kept", placed, waiting, seconds, kept)
                .line("others' pods", "%,d, two hundred a second, before and after", benchCase.pods())
                .line("", "   p50        p99  µs         cpu µs        units       hints, a pod")
                .put("placed", after.placed())
                .put("unschedulable", benchCase.pods() - after.placed())
                .put("hostile_placed", placed)
                .put("hostile_waiting", waiting)
                .put("hostile_s", seconds, 1)
                .put("hostile_kept_mb", kept, 1);
        before.addTo(report, "before", "undisturbed");
        after.addTo(report, "after", "disturbed");
        return report.line(
                        "times",
                        "%,6.2f %,10.2f      %,10.2f %,12.2f",
                        after.p50Micros() / before.p50Micros(),
                        after.p99Micros() / before.p99Micros(),
                        after.cpuMicros() / before.cpuMicros(),
                        after.units() / before.units())
                .seed(benchCase.seed());
    }

    private static double usedMegabytes() {
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        System.gc();
        return (runtime.totalMemory() - runtime.freeMemory()) / 1e6;
    }

    /**
     * How long pods took, each from its creation to its binding, and what all that was done meanwhile cost, for each of them. Time
     * is processor time of the one thread that does all: what else the machine has to do does not count.
     *
     * @param placed how many of them have a node
     * @param cpuMicros of the processor
     * @param units of work
     * @param hints how often a plugin was asked whether a change may help another
     */
    record Delays(int placed, double p50Micros, double p99Micros, double cpuMicros, double units, double hints) {

        static Delays of(long[] nanos, int placed, long cpuNanos, long units, long hints) {
            long[] sorted = nanos.clone();
            Arrays.sort(sorted);
            double pods = nanos.length;
            return new Delays(
                    placed,
                    PlacementRun.percentileMicros(0.50, sorted),
                    PlacementRun.percentileMicros(0.99, sorted),
                    cpuNanos / 1e3 / pods,
                    units / pods,
                    hints / pods);
        }

        private void addTo(BenchReport report, String label, String prefix) {
            report.line(
                            label,
                            "%,6.1f %,10.1f      %,10.1f %,12.1f  %,10.1f",
                            p50Micros,
                            p99Micros,
                            cpuMicros,
                            units,
                            hints)
                    .put(prefix + "_us_per_pod_p50", p50Micros, 1)
                    .put(prefix + "_us_per_pod_p99", p99Micros, 1)
                    .put(prefix + "_cpu_us_per_pod", cpuMicros, 1)
                    .put(prefix + "_units_per_pod", units, 1)
                    .put(prefix + "_hints_per_pod", hints, 1);
        }
    }

    /**
     * A cluster with a clock that goes on by the processor time that the scheduler takes, and where it has nothing to do, to the next
     * event. So a pod that waits while others are decided waits as long as it would on a machine of its own.
     */
    private static final class SharedCluster {
        /** Between two pods of the others: two hundred a second. */
        private static final long STEP = Duration.ofMillis(5).toNanos();

        private static final int MOST_REMADE = 64;
        private static final long REMADE_EACH = Duration.ofMillis(100).toNanos();
        /** No pod of the others waits so long. */
        private static final long PATIENCE = Duration.ofSeconds(60).toNanos();

        private static final ThreadMXBean THREAD = ManagementFactory.getThreadMXBean();

        private static final String CONFIGURATION = """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles:
            - plugins:
                multiPoint:
                  enabled: [{name: PlacementPolicy}, {name: GroupPlacement}]
            """;

        private final LiveCluster cluster;
        private final Map<String, Long> boundAt = new HashMap<>();
        private long idle;
        private final long start = THREAD.getCurrentThreadCpuTime();

        SharedCluster(BenchCase benchCase, PluginRegistry registry) {
            SchedulerConfiguration configuration = new ConfigurationReader().read("bench", CONFIGURATION);
            cluster = new LiveCluster(
                    configuration,
                    WorkloadCluster.objects(benchCase),
                    benchCase.seed(),
                    registry,
                    this::now,
                    pod -> boundAt.put(pod.key(), now()));
        }

        private long now() {
            return THREAD.getCurrentThreadCpuTime() - start + idle;
        }

        LiveCluster live() {
            return cluster;
        }

        /** All of these come at once; until each has been tried, or for so long. Answers pods among them, some where there are many. */
        List<Pod> takeIn(Stream<? extends KubernetesObject> objects, Duration longest) {
            List<Pod> pods = new ArrayList<>();
            objects.forEach(object -> {
                if (object instanceof Pod pod && pods.size() < MOST_REMADE) {
                    pods.add(pod);
                }
                cluster.takeIn(new ClusterEvent.Put(object));
            });
            long end = now() + longest.toNanos();
            while (cluster.placeNext() && now() < end) {}
            return pods;
        }

        /**
         * The pods come one after the other and go when all are placed.
         *
         * @param hostile pods of a tenant; ten of them go and come back each second
         */
        Delays place(List<Pod> pods, List<Pod> hostile) {
            boundAt.clear();
            long begun = now();
            long units = cluster.units();
            long hints = cluster.tally().hints();
            long cpu = THREAD.getCurrentThreadCpuTime();
            int came = 0;
            int remade = 0;
            long end = begun + STEP * pods.size() + PATIENCE;
            while ((came < pods.size() || boundAt.size() < pods.size()) && now() < end) {
                while (came < pods.size() && now() >= begun + STEP * came) {
                    cluster.takeIn(new ClusterEvent.Put(pods.get(came++)));
                }
                if (!hostile.isEmpty() && now() >= begun + REMADE_EACH * (remade + 1)) {
                    remake(hostile.get(remade % hostile.size()), ++remade);
                }
                cluster.tick();
                if (!cluster.placeNext()) {
                    waitUntil(came < pods.size() ? begun + STEP * came : end);
                }
            }
            long cpuNanos = THREAD.getCurrentThreadCpuTime() - cpu;
            long[] nanos = new long[pods.size()];
            int placed = 0;
            for (int i = 0; i < nanos.length; i++) {
                Long bound = boundAt.get(pods.get(i).key());
                placed += bound == null ? 0 : 1;
                nanos[i] = (bound == null ? end : bound) - (begun + STEP * i);
            }
            Delays delays = Delays.of(
                    nanos,
                    placed,
                    cpuNanos,
                    cluster.units() - units,
                    cluster.tally().hints() - hints);
            pods.forEach(cluster::delete);
            return delays;
        }

        private void remake(Pod pod, int times) {
            cluster.delete(pod);
            cluster.takeIn(new ClusterEvent.Put(
                    PodBuilder.from(pod).uid(pod.meta().uid() + "-" + times).build()));
        }

        /** Until then, or until the scheduler has something to do. */
        private void waitUntil(long next) {
            long until = Math.min(next, cluster.nextDeadline().orElse(next));
            idle += Math.max(0, until - now());
        }
    }
}
