package io.evenkeel.lab.bench;

import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.Pod;
import io.evenkeel.plugins.InTreePlugins;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The time that the engine takes for a pod, deciding and assuming: 5,000 pods onto a cluster without any. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 8)
@Measurement(iterations = 8)
@Fork(1)
public class WorkloadBenchmark {
    private static final int PODS = 5_000;

    @Param({
        "basic",
        "zone-hard",
        "host-hard",
        "both-hard",
        "host-soft",
        "both-soft",
        "anti",
        "affinity",
        "mixed",
        "shapes-unique",
        "shapes-1k",
        "default-soft",
        "unschedulable",
        "full"
    })
    private String workload = "";

    @Param({"1000", "5000"})
    private int nodes;

    private final PluginRegistry registry = InTreePlugins.registry();
    private Engine engine = WorkloadCluster.start(BenchCase.of(Workload.BASIC, 1, 1, 1), registry);
    private List<Pod> pods = List.of();

    @Setup(Level.Invocation)
    public void startAnew() {
        BenchCase benchCase = BenchCase.of(Workload.find(workload).orElseThrow(), nodes, PODS, 1);
        engine = WorkloadCluster.start(benchCase, registry);
        pods = WorkloadPods.of(benchCase);
    }

    @Benchmark
    @OperationsPerInvocation(PODS)
    public int decideAndAssume() {
        int placed = 0;
        for (Pod pod : pods) {
            if (engine.decide(pod) instanceof Decision.Placed there) {
                engine.assume(pod, there);
                placed++;
            }
        }
        return placed;
    }
}
