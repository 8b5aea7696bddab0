package io.evenkeel.lab.bench;

import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Places pods, lets a tenant create what it means harm with, and places the same pods again, while its pods go and come back. */
public final class HostileBench {
    private static final int WARM_UPS = 3;
    /** Until then all that a tenant has created is tried, before the others come. */
    private static final Duration ALONE = Duration.ofSeconds(30);

    private final PluginRegistry registry;

    public HostileBench(PluginRegistry registry) {
        this.registry = registry;
    }

    /** Whether the workload has a hostile tenant. */
    public static boolean measures(Workload workload) {
        return HostileObjects.areOf(workload);
    }

    public BenchReport run(BenchCase benchCase) {
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
}
