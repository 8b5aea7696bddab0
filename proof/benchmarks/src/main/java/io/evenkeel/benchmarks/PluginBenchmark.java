package io.evenkeel.benchmarks;

import io.evenkeel.api.CycleState;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.config.Plugins;
import io.evenkeel.config.Plugins.EnabledPlugin;
import io.evenkeel.config.Plugins.PluginSet;
import io.evenkeel.config.Profile;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.plugins.InTreePlugins;
import java.util.List;
import java.util.OptionalInt;
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

/**
 * What each plugin adds to a pod's time at 5,000 nodes when one node has changed since the pod before. Every figure
 * includes {@link #change} alone; {@link #filterAndScore} includes {@link #filter}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class PluginBenchmark {
    private static final int NODES = 5_000;

    @Param({
        "NodeUnschedulable",
        "NodeName",
        "TaintToleration",
        "NodeAffinity",
        "NodePorts",
        "NodeResourcesFit",
        "PodTopologySpread",
        "InterPodAffinity",
        "NodeResourcesBalancedAllocation",
        "ImageLocality",
        "NodeDeclaredFeatures"
    })
    private String plugin = "";

    private ClusterState cluster = new ClusterState();
    private SchedulingProfile profile = onlyWith("NodeName", cluster);
    private final CycleState.Writer states = CycleState.create();
    private final CycleState state = states.state();
    private final Pod pod = DemandingObjects.pod("pod");
    private PodInfo info = cluster.admit(pod);
    private PodInfo moving = info;
    private int node;

    @Setup
    public void fillCluster() {
        cluster = new ClusterState();
        for (Node some : DemandingObjects.nodes(NODES)) {
            cluster.put(some);
        }
        for (int i = 0; i < NODES; i++) {
            cluster.put(DemandingObjects.placedPod(i));
        }
        profile = onlyWith(plugin, cluster);
        info = cluster.admit(pod);
        moving = cluster.admit(DemandingObjects.pod("moving"));
    }

    /** Takes a pod off its node and puts it on the next. */
    @Benchmark
    public int change() {
        node = node + 1 == NODES ? 0 : node + 1;
        cluster.assume(moving, node);
        return node;
    }

    @Benchmark
    public NodeSet filter() {
        change();
        states.reset();
        return profile.filters().run(state, info);
    }

    @Benchmark
    public NodeSet filterAndScore() {
        NodeSet feasible = filter();
        profile.scores().run(state, info, feasible);
        return profile.scores().best(feasible);
    }

    private static SchedulingProfile onlyWith(String plugin, ClusterState cluster) {
        List<EnabledPlugin> enabled =
                List.of(EnabledPlugin.of("PrioritySort"), EnabledPlugin.of(plugin), EnabledPlugin.of("DefaultBinder"));
        Plugins plugins = Plugins.NONE.with(ExtensionPoint.MULTI_POINT, new PluginSet(enabled, List.of(PluginSet.ALL)));
        Profile made = new Profile(
                Profile.DEFAULT_SCHEDULER_NAME,
                OptionalInt.empty(),
                plugins,
                Profile.defaults().pluginArgs());
        return SchedulingProfile.of(made, InTreePlugins.registry(), cluster.view());
    }
}
