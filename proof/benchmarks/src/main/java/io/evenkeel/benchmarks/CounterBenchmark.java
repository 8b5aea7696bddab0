package io.evenkeel.benchmarks;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.NodeEligibility;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.model.Node;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelSelector;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a pod costs that comes to a node and goes again, when so many selector groups match it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class CounterBenchmark {
    private static final int NODES = 5_000;
    private static final String[] TOPOLOGY_KEYS = {"topology.kubernetes.io/zone", "kubernetes.io/hostname"};

    @Param({"0", "1", "4", "16"})
    private int groups;

    private ClusterState cluster = new ClusterState();
    private PodInfo pod =
            cluster.admit(PodBuilder.pod("web").label("app", "web").build());
    private int node;

    /** Each group has a pod on every node and is counted by zone and by host, both with a minimum. */
    @Setup
    public void fillCluster() {
        cluster = new ClusterState();
        for (Node some : DemandingObjects.nodes(NODES)) {
            cluster.put(some);
        }
        for (int group = 0; group < groups; group++) {
            SelectorGroup matching = cluster.view().selectors().acquire(matchingApp(group));
            for (String topologyKey : TOPOLOGY_KEYS) {
                cluster.view()
                        .counters()
                        .acquire(
                                matching.tally(),
                                new Topology.Key(topologyKey, false),
                                NodeEligibility.Key.having(topologyKey),
                                true);
            }
        }
        for (int i = 0; i < NODES; i++) {
            cluster.put(PodBuilder.from(pod.pod())
                    .name("peer-" + i)
                    .nodeName(DemandingObjects.nodeName(i))
                    .build());
        }
        pod = cluster.admit(pod.pod());
    }

    @Benchmark
    public int addAndRemovePod() {
        node = node + 1 == NODES ? 0 : node + 1;
        cluster.assume(pod, node);
        cluster.removePod(pod.pod().key());
        return node;
    }

    /** Groups that differ, but all match the pod. */
    private static SelectorGroup.Key matchingApp(int group) {
        LabelSelector selector = LabelSelector.of(List.of(
                LabelRequirement.equalTo("app", "web"),
                new LabelRequirement("absent-" + group, LabelRequirement.Operator.DOES_NOT_EXIST, List.of())));
        PodAffinityTerm term = new PodAffinityTerm(selector, "", List.of(), LabelSelector.NOTHING);
        return new SelectorGroup.Key(List.of(PodMatch.of(term, "default")), false);
    }
}
