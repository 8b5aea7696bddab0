package io.evenkeel.benchmarks;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.IntOrPercent;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.drain.Consolidation;
import io.evenkeel.whatif.drain.DrainPlan;
import io.evenkeel.whatif.drain.DrainPlanner;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Plans on 5,000 nodes in three zones with 100,000 pods: 1,000 apps of 100, each with a hard spread constraint over zones and a
 * PodDisruptionBudget of 10 %.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(value = 1, jvmArgsAppend = "-Xmx4g")
public class DrainBenchmark {
    private static final int NODES = 5_000;
    private static final int APPS = 1_000;
    private static final int REPLICAS = 100;
    private static final int SCANNED = 1_000;

    private final ClusterSnapshot cluster =
            new ClusterSnapshot(SchedulerConfiguration.defaults(), InTreePlugins.registry());

    @Setup
    public void fillCluster() {
        for (int i = 0; i < NODES; i++) {
            cluster.put(NodeBuilder.node(node(i))
                    .hostname(node(i))
                    .zone("zone-" + i % 3)
                    .allocatable("cpu", "16", "memory", "64Gi", "pods", "110")
                    .build());
        }
        for (int app = 0; app < APPS; app++) {
            fill(app);
        }
    }

    private void fill(int number) {
        String app = "app-" + number;
        ObjectMeta meta = ObjectMeta.named("default", app);
        LabelSelector selector = LabelSelector.matchingLabels(Labels.of("app", app));
        cluster.put(new PodDisruptionBudget(
                meta, selector, Optional.empty(), Optional.of(IntOrPercent.parse("10%")), 0, Set.of()));
        cluster.put(new WorkloadOwner(WorkloadOwner.Kind.REPLICA_SET, meta, selector, REPLICAS));
        for (int replica = 0; replica < REPLICAS; replica++) {
            cluster.put(PodBuilder.pod(app + "-" + replica)
                    .label("app", app)
                    .controller(new OwnerReference("apps/v1", "ReplicaSet", app, app))
                    .container("cpu", 100 + 50 * (number % 8) + "m", "memory", "512Mi")
                    .spread(TopologySpreadConstraint.of(
                            1, "topology.kubernetes.io/zone", WhenUnsatisfiable.DO_NOT_SCHEDULE, selector))
                    .nodeName(node((number * 37 + replica * 49) % NODES))
                    .build());
        }
    }

    private static String node(int number) {
        return "node-%04d".formatted(number);
    }

    private List<String> names() {
        return cluster.nodes().stream().map(Node::name).toList();
    }

    @Benchmark
    public DrainPlan drainAll() {
        return DrainPlanner.plan(cluster, new DrainPlanner.Request(names(), 1, List.of(), false));
    }

    @Benchmark
    public Consolidation.Alone scan() {
        try (Consolidation consolidation = new Consolidation(cluster)) {
            return consolidation.alone(names().subList(0, SCANNED));
        }
    }
}
