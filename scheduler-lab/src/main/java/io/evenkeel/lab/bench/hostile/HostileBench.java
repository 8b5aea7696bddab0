package io.evenkeel.lab.bench.hostile;

import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.lab.bench.BenchCase;
import io.evenkeel.lab.bench.Workload;
import io.evenkeel.lab.bench.WorkloadCluster;
import io.evenkeel.lab.bench.WorkloadPods;
import io.evenkeel.lab.bench.live.LiveCluster;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;

/** Places pods, lets a tenant create what it means harm with, and places the same pods again. */
public final class HostileBench {
    private static final int WARM_UPS = 3;
    private static final ThreadMXBean THREAD = ManagementFactory.getThreadMXBean();

    private final PluginRegistry registry;

    public HostileBench(PluginRegistry registry) {
        this.registry = registry;
    }

    /** Whether the workload has a hostile tenant. */
    public static boolean measures(Workload workload) {
        return HostilePods.areOf(workload);
    }

    public HostileResult run(BenchCase benchCase) {
        LiveCluster cluster =
                new LiveCluster(WorkloadCluster.objects(benchCase), benchCase.seed(), registry, System::nanoTime);
        List<Pod> pods = WorkloadPods.of(benchCase).stream()
                .map(pod -> PodBuilder.from(pod).uid(pod.name()).build())
                .toList();
        for (int i = 0; i < WARM_UPS; i++) {
            place(cluster, pods);
        }
        Delays before = place(cluster, pods);
        double usedBefore = usedMegabytes();
        long start = System.nanoTime();
        HostilePods.of(benchCase).forEach(cluster::create);
        double seconds = (System.nanoTime() - start) / 1e9;
        double kept = usedMegabytes() - usedBefore;
        int placed = cluster.placed();
        int waiting = cluster.queue().unschedulable();
        Delays after = place(cluster, pods);
        return new HostileResult(benchCase, after.placed(), placed, waiting, seconds, kept, before, after);
    }

    private static Delays place(LiveCluster cluster, List<Pod> pods) {
        long[] nanos = new long[pods.size()];
        long hints = cluster.tally().hints();
        int placed = cluster.placed();
        for (int i = 0; i < nanos.length; i++) {
            long start = THREAD.getCurrentThreadCpuTime();
            cluster.create(pods.get(i));
            nanos[i] = THREAD.getCurrentThreadCpuTime() - start;
        }
        Delays delays =
                Delays.of(nanos, cluster.placed() - placed, cluster.tally().hints() - hints);
        pods.forEach(cluster::delete);
        return delays;
    }

    private static double usedMegabytes() {
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        System.gc();
        return (runtime.totalMemory() - runtime.freeMemory()) / 1e6;
    }
}
