package io.evenkeel.tools.observe;

import static io.evenkeel.tools.observe.ObservedCluster.HOST;
import static io.evenkeel.tools.observe.ObservedCluster.ZONE;
import static io.evenkeel.tools.observe.ObservedCluster.hard;
import static io.evenkeel.tools.observe.ObservedCluster.node;
import static io.evenkeel.tools.observe.ObservedCluster.podOf;
import static io.evenkeel.tools.observe.ObservedCluster.replicaSet;
import static io.evenkeel.tools.observe.ObservedCluster.soft;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** What looking on costs in a large cluster; its figures are printed, and stand in docs/observe.md. */
@EnabledIfSystemProperty(named = "evenkeel.observe.cost", matches = "true")
class ObserverCostTest {
    private static final int NODES = 5_000;
    private static final int WORKLOADS = 2_000;
    private static final int PODS_OF_EACH = 50;
    private static final int ROUNDS = 6;

    private final ObservedCluster cluster = new ObservedCluster();

    @Test
    void measure() {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            nodes.add(node("n" + i, "z" + i % 3)
                    .allocatable("cpu", "64", "memory", "256Gi", "pods", "250")
                    .build());
        }
        nodes.forEach(cluster::put);
        List<Pod> pods = pods();
        Scheduler alone = cluster.scheduler();
        nodes.forEach(node -> alone.handle(new ClusterEvent.Put(node)));
        long unobserved = Long.MAX_VALUE;
        long observed = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            unobserved =
                    Math.min(unobserved, nanos(() -> pods.forEach(pod -> alone.handle(new ClusterEvent.Put(pod)))));
            observed = Math.min(observed, nanos(() -> pods.forEach(cluster::put)));
            if (round < ROUNDS - 1) {
                pods.forEach(pod -> alone.handle(new ClusterEvent.Removed(pod)));
                pods.forEach(cluster::remove);
            }
        }
        say("a pod that comes: %.1f us, without the observer %.1f us"
                .formatted(observed / 1e3 / pods.size(), unobserved / 1e3 / pods.size()));
        ticks("all constraints are new", 60);
        say("constraints: %d"
                .formatted(cluster.gauge("evenkeel_spread_skew").size()
                        + cluster.gauge("evenkeel_spread_constraints_left_out").get(List.of())));
        ticks("nothing happens", 60);
        long churn = 0;
        List<Long> ticks = new ArrayList<>();
        for (int second = 0; second < 20; second++) {
            int from = second * 1_000;
            churn += nanos(() -> pods.subList(from, from + 1_000)
                    .forEach(pod -> cluster.remove(pod).put(pod)));
            ticks.add(nanos(cluster::tick));
        }
        say("1,000 pods a second go and come: %.1f us each for both".formatted(churn / 20e6));
        say("  %s".formatted(inWords(ticks)));
        cluster.put(NodeBuilder.from(cluster.scheduler.cluster().nodes().node(0))
                .label("new", "label")
                .build());
        ticks("a node's labels change", 60);
        compare(pods);
    }

    private void compare(List<Pod> pods) {
        cluster.slow(Duration.ofNanos(1));
        List<Long> each = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            Pod pod = pods.get(i * 160);
            Pod waiting = PodBuilder.from(pod).nodeName("").build();
            cluster.remove(pod).put(waiting);
            each.add(nanos(() -> cluster.observer.taking(cluster.scheduler, new ClusterEvent.Put(pod))));
            cluster.scheduler.handle(new ClusterEvent.Put(pod));
        }
        say("a binding is compared: %s".formatted(inWords(each.subList(300, 600))));
    }

    private void ticks(String what, int count) {
        List<Long> ticks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ticks.add(nanos(cluster::tick));
        }
        say("%d ticks after %s: %s".formatted(count, what, inWords(ticks)));
    }

    private static String inWords(List<Long> nanos) {
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        return "median %.2f ms, most %.2f ms, all %.0f ms"
                .formatted(
                        sorted[sorted.length / 2] / 1e6,
                        sorted[sorted.length - 1] / 1e6,
                        Arrays.stream(sorted).sum() / 1e6);
    }

    private static long nanos(Runnable work) {
        long begin = System.nanoTime();
        work.run();
        return System.nanoTime() - begin;
    }

    private static void say(String line) {
        System.out.println(line);
    }

    private List<Pod> pods() {
        List<Pod> pods = new ArrayList<>(WORKLOADS * PODS_OF_EACH);
        for (int w = 0; w < WORKLOADS; w++) {
            String app = "app-" + w;
            PodBuilder pod = podOf(app, "template");
            switch (w % 3) {
                case 0 -> pod.spread(hard(1, ZONE, app)).spread(soft(1, HOST, app));
                case 1 -> pod.spread(hard(2, HOST, app));
                default -> cluster.put(replicaSet(app, PODS_OF_EACH));
            }
            Pod template = pod.build();
            for (int i = 0; i < PODS_OF_EACH; i++) {
                pods.add(PodBuilder.from(template)
                        .name(app + "-" + i)
                        .uid("uid-" + app + i)
                        .nodeName("n" + (w * 7 + i * 131) % NODES)
                        .build());
            }
        }
        assertThat(pods).hasSize(WORKLOADS * PODS_OF_EACH);
        return pods;
    }
}
