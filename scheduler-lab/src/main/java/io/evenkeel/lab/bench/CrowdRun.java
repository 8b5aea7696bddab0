package io.evenkeel.lab.bench;

import io.evenkeel.engine.ClusterEvent;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One cluster, with or without a crowd. Its clock stands still while something happens and goes on by a millisecond from
 * one pod to the next, and before each pod a node has an event. So there are a thousand of both a second, as if the
 * scheduler took no time: what it takes is measured by the processor's clock, and is less than that.
 */
final class CrowdRun {
    private static final long STEP = Duration.ofMillis(1).toNanos();
    /** Backoffs end by then. */
    private static final long REST = Duration.ofSeconds(20).toNanos();

    private static final int PODS_PER_DELETION = 10;
    private static final int LIFE = 5;
    private static final ThreadMXBean THREAD = ManagementFactory.getThreadMXBean();

    private final LiveCluster cluster;
    private final NodeEvents events;
    private long now;

    private CrowdRun(BenchCase benchCase, PluginRegistry registry) {
        List<Node> nodes = CrowdCluster.nodes(benchCase);
        List<KubernetesObject> objects = new ArrayList<>(nodes);
        CrowdPods.inPlace(benchCase.zones()).forEach(objects::add);
        cluster = new LiveCluster(objects, benchCase.seed(), registry, () -> now);
        events = new NodeEvents(nodes, benchCase.zones(), benchCase.seed());
    }

    static CrowdRun alone(BenchCase benchCase, PluginRegistry registry) {
        return new CrowdRun(benchCase, registry);
    }

    /** All of the crowd have been tried, and wait. */
    static CrowdRun crowded(BenchCase benchCase, PluginRegistry registry) {
        CrowdRun run = new CrowdRun(benchCase, registry);
        CrowdPods.waiting(benchCase.zones()).forEach(pod -> {
            run.cluster.create(pod);
            run.now += STEP;
        });
        run.now += REST;
        return run;
    }

    /** How many pods wait for a change. */
    int waiting() {
        return cluster.queue().unschedulable();
    }

    /** Places the pods, and takes them away again; a tenth do not live long. */
    Costs place(List<Pod> pods) {
        long[] podNanos = new long[pods.size()];
        long[] eventNanos = new long[pods.size()];
        Tally ofPods = Tally.NONE;
        Tally ofEvents = Tally.NONE;
        long all = 0;
        for (int i = 0; i < podNanos.length; i++) {
            now += STEP;
            Tally before = cluster.tally();
            eventNanos[i] = nanosOf(events.next());
            Tally between = cluster.tally();
            podNanos[i] = nanosOf(new ClusterEvent.Put(pods.get(i)));
            ofEvents = ofEvents.plus(between.since(before));
            all += podNanos[i] + eventNanos[i];
            if (i % PODS_PER_DELETION == LIFE) {
                all += nanosOf(new ClusterEvent.Removed(pods.get(i - LIFE)));
            }
            ofPods = ofPods.plus(cluster.tally().since(between));
        }
        pods.forEach(cluster::delete);
        return Costs.of(podNanos, eventNanos, all, ofPods, ofEvents);
    }

    private long nanosOf(ClusterEvent event) {
        long start = THREAD.getCurrentThreadCpuTime();
        cluster.happens(event);
        return THREAD.getCurrentThreadCpuTime() - start;
    }
}
