package io.evenkeel.whatif.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision.Placed;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle.Scoring;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.whatif.ClusterSnapshot;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The figures of docs/rebalance.md: {@code -Devenkeel.figures=rebalance} prints them, and judges no time. */
@EnabledIfSystemProperty(named = "evenkeel.figures", matches = "rebalance")
class RebalanceFiguresTest {
    private static final int NODES = 5_000;
    private static final int WORKLOADS = 1_000;
    private static final int PODS = 100;
    private static final int PLACED = 200_000;
    private static final int ROUNDS = 15;
    private static final String ZONE = "topology.kubernetes.io/zone";

    @ParameterizedTest(name = "{0} uneven, by host names {1}")
    @CsvSource({"10,false", "500,false", "10,true", "500,true", "500,true"})
    void aZoneThatCameBackIsFilledAgain(int uneven, boolean byHost) {
        ClusterSnapshot cluster = new ClusterSnapshot(SchedulerConfiguration.defaults(), InTreePlugins.registry());
        fill(cluster::put, uneven, byHost);

        long before = System.nanoTime();
        MovePlan plan = Rebalancer.plan(cluster);
        System.out.println(uneven + " of " + WORKLOADS + " workloads uneven, by host names too: " + byHost + ": "
                + plan.moves().size() + " moves in " + (System.nanoTime() - before) / 1_000_000 + " ms");

        assertThat(plan.violationsAfter()).isZero();
        assertThat(plan.optimal()).isTrue();
        assertThat(plan.moves()).hasSize(uneven * (PODS / 3));
    }

    /** By turns in one JVM, so that both have the same code. */
    @Test
    void anEngineBesidePlans() throws InterruptedException {
        Engine engine = new Engine(
                SchedulerConfiguration.defaults(), InTreePlugins.registry(), new FirstByName(), Scoring.WHEN_NEEDED);
        fill(engine::put, WORKLOADS / 2, false);
        ClusterSnapshot cluster = new ClusterSnapshot(SchedulerConfiguration.defaults(), InTreePlugins.registry());
        fill(cluster::put, WORKLOADS / 2, false);
        placed(engine);
        for (int round = 0; round < ROUNDS; round++) {
            System.out.println("alone: " + placed(engine));
            AtomicBoolean goesOn = new AtomicBoolean(true);
            Thread planner = new Thread(() -> {
                while (goesOn.get()) {
                    Rebalancer.plan(cluster);
                }
            });
            planner.start();
            System.out.println("beside plans: " + placed(engine));
            goesOn.set(false);
            planner.join();
        }
    }

    /** What the engine takes for pods that come, are placed, and go. */
    private static String placed(Engine engine) {
        long[] nanos = new long[PLACED];
        for (int i = 0; i < nanos.length; i++) {
            Pod pod = pod("w" + i % WORKLOADS, PODS, false).build();
            long before = System.nanoTime();
            assertThat(engine.decide(pod)).isInstanceOfSatisfying(Placed.class, there -> engine.assume(pod, there));
            engine.remove(pod);
            nanos[i] = System.nanoTime() - before;
        }
        Arrays.sort(nanos);
        return "p50 %.1f µs, p99 %.1f µs".formatted(nanos[PLACED / 2] / 1e3, nanos[PLACED / 100 * 99] / 1e3);
    }

    private static void fill(Consumer<KubernetesObject> cluster, int uneven, boolean byHost) {
        for (int i = 0; i < NODES; i++) {
            cluster.accept(NodeBuilder.node("n" + i)
                    .hostname("n" + i)
                    .zone(List.of("a", "b", "c").get(i % 3))
                    .allocatable("cpu", "64", "memory", "256Gi", "pods", "110")
                    .build());
        }
        for (int workload = 0; workload < WORKLOADS; workload++) {
            for (int i = 0; i < PODS; i++) {
                int zone = workload < uneven ? i % 2 : i % 3;
                int node = (workload * 37 + i * 3) % (NODES / 3) * 3 + zone;
                cluster.accept(
                        pod("w" + workload, i, byHost).nodeName("n" + node).build());
            }
        }
    }

    private static PodBuilder pod(String workload, int number, boolean byHost) {
        LabelSelector selector = LabelSelector.matchingLabels(Labels.of("app", workload));
        PodBuilder pod = PodBuilder.pod(workload + "-" + number)
                .label("app", workload)
                .container("cpu", "100m", "memory", "100Mi")
                .controller(new OwnerReference("apps/v1", "ReplicaSet", workload, "u-" + workload))
                .spread(TopologySpreadConstraint.of(1, ZONE, WhenUnsatisfiable.DO_NOT_SCHEDULE, selector));
        return byHost
                ? pod.spread(TopologySpreadConstraint.of(1, Node.HOSTNAME, WhenUnsatisfiable.DO_NOT_SCHEDULE, selector))
                : pod;
    }
}
