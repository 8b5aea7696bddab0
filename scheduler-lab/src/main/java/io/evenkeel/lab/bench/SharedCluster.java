package io.evenkeel.lab.bench;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.lab.bench.HostileBench.Delays;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A cluster with a clock that goes on by the processor time that the scheduler takes, and where it has nothing to do, to the next
 * event. So a pod that waits while others are decided waits as long as it would on a machine of its own.
 */
final class SharedCluster {
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
