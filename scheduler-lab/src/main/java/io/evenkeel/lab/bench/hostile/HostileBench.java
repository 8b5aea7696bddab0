package io.evenkeel.lab.bench.hostile;

import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.lab.bench.BenchCase;
import io.evenkeel.lab.bench.Workload;
import io.evenkeel.lab.bench.WorkloadPods;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.QueueCounts;
import java.time.Duration;
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

    public HostileResult run(BenchCase benchCase) {
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
        return new HostileResult(benchCase, after.placed(), placed, waiting, seconds, kept, before, after);
    }

    private static double usedMegabytes() {
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        System.gc();
        return (runtime.totalMemory() - runtime.freeMemory()) / 1e6;
    }
}
