package io.evenkeel.framework.run;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.PreScorePlugin;
import io.evenkeel.api.ScorePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** A small cluster and plugins that do as they are told. */
final class Fakes {
    private Fakes() {}

    static ClusterView nodes(String... names) {
        ClusterState cluster = new ClusterState();
        for (String name : names) {
            cluster.putNode(NodeBuilder.node(name).build());
        }
        return cluster.view();
    }

    static PodInfo pod() {
        return new ClusterState().admit(PodBuilder.pod("p").build());
    }

    static Set<String> names(ClusterView cluster, NodeSet nodes) {
        Set<String> names = new TreeSet<>();
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            names.add(cluster.nodes().name(node));
        }
        return names;
    }

    static Map<String, Long> byName(ClusterView cluster, NodeSet nodes, long[] totals) {
        Map<String, Long> byName = new TreeMap<>();
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            byName.put(cluster.nodes().name(node), totals[node]);
        }
        return byName;
    }

    /** Says the same before filtering every time, and filters by node name. */
    record Gate(String name, PreFilterResult before, Function<String, Status> verdict)
            implements PreFilterPlugin, FilterPlugin {
        @Override
        public PreFilterResult preFilter(CycleState state, PendingPod pod) {
            return before;
        }

        @Override
        public Status filter(CycleState state, PendingPod pod, NodeInfo node) {
            return verdict.apply(node.name());
        }
    }

    static Gate gate(String name, Function<String, Status> verdict) {
        return new Gate(name, PreFilterResult.PROCEED, verdict);
    }

    static Gate before(String name, PreFilterResult result) {
        return new Gate(name, result, node -> Status.SUCCESS);
    }

    /** Scores by node name. */
    record Scorer(String name, Status before, ToLongFunction<String> score) implements PreScorePlugin, ScorePlugin {
        @Override
        public Status preScore(CycleState state, PendingPod pod, Collection<NodeInfo> feasible) {
            return before;
        }

        @Override
        public long score(CycleState state, PendingPod pod, NodeInfo node) {
            return score.applyAsLong(node.name());
        }
    }
}
