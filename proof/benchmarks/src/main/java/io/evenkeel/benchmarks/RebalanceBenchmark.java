package io.evenkeel.benchmarks;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle.Scoring;
import io.evenkeel.model.KubernetesObject;
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
import io.evenkeel.whatif.rebalance.MovePlan;
import io.evenkeel.whatif.rebalance.Rebalancer;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What an engine takes for a pod, alone and while another thread works out one plan of moves after the other on a copy of its cluster,
 * as {@code run --rebalance} does: 5,000 nodes in three zones with 100,000 pods of 1,000 apps, spread over the zones, of which the
 * third is back for half of the apps.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 10)
@Measurement(iterations = 4, time = 10)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx4g", "-XX:+UseCompactObjectHeaders"})
public class RebalanceBenchmark {
    private static final int NODES = 5_000;
    private static final int APPS = 1_000;
    private static final int PODS = 100;

    private static void fill(Consumer<KubernetesObject> cluster) {
        for (int i = 0; i < NODES; i++) {
            cluster.accept(NodeBuilder.node(node(i))
                    .hostname(node(i))
                    .zone("zone-" + i % 3)
                    .allocatable("cpu", "64", "memory", "256Gi", "pods", "110")
                    .build());
        }
        for (int app = 0; app < APPS; app++) {
            for (int i = 0; i < PODS; i++) {
                int zone = app % 2 == 0 ? i % 2 : i % 3;
                cluster.accept(pod(app, "-" + i)
                        .nodeName(node((app * 37 + i * 3) % (NODES / 3) * 3 + zone))
                        .build());
            }
        }
    }

    private static String node(int number) {
        return "node-%04d".formatted(number);
    }

    private static PodBuilder pod(int number, String suffix) {
        String app = "app-" + number;
        LabelSelector selector = LabelSelector.matchingLabels(Labels.of("app", app));
        return PodBuilder.pod(app + suffix)
                .label("app", app)
                .controller(new OwnerReference("apps/v1", "ReplicaSet", app, app))
                .container("cpu", "100m", "memory", "100Mi")
                .spread(TopologySpreadConstraint.of(
                        1, "topology.kubernetes.io/zone", WhenUnsatisfiable.DO_NOT_SCHEDULE, selector));
    }

    /** The engine of a scheduler. */
    @State(Scope.Group)
    public static class Live {
        private final Engine engine = new Engine(
                SchedulerConfiguration.defaults(), InTreePlugins.registry(), new FirstByName(), Scoring.WHEN_NEEDED);
        private int app;

        @Setup
        public void fillCluster() {
            fill(engine::put);
        }

        /** A pod comes, is placed, and goes. */
        Decision place() {
            app = (app + 1) % APPS;
            Pod pod = pod(app, "-new").build();
            Decision decision = engine.decide(pod);
            if (decision instanceof Decision.Placed placed) {
                engine.assume(pod, placed);
                engine.remove(pod);
            }
            return decision;
        }
    }

    /** The copy by which moves are planned. */
    @State(Scope.Group)
    public static class Copy {
        private final ClusterSnapshot cluster =
                new ClusterSnapshot(SchedulerConfiguration.defaults(), InTreePlugins.registry());

        @Setup
        public void fillCluster() {
            fill(cluster::put);
        }
    }

    @Benchmark
    @Group("alone")
    public Decision aPodAlone(Live live, Copy copy) {
        return live.place();
    }

    @Benchmark
    @Group("meanwhile")
    public Decision aPodMeanwhile(Live live) {
        return live.place();
    }

    @Benchmark
    @Group("meanwhile")
    public MovePlan planned(Copy copy) {
        MovePlan plan = Rebalancer.plan(copy.cluster);
        copy.cluster.reset();
        return plan;
    }
}
