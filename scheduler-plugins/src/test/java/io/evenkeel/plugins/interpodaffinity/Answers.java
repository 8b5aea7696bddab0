package io.evenkeel.plugins.interpodaffinity;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.config.PluginArgs.InterPodAffinityArgs;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.Diagnosis.Rejection;
import io.evenkeel.framework.cycle.NodeScores;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.framework.run.ScoreRunner.RawScores;
import io.evenkeel.model.Pod;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/** Asks the plugin as a profile does, and gives its answers by node name. */
final class Answers {
    private final ClusterState cluster;
    private final InterPodAffinity plugin;

    Answers(ClusterState cluster, InterPodAffinityArgs args) {
        this.cluster = cluster;
        this.plugin = new InterPodAffinity(new TreeContext(cluster.view(), Optional.of(args)));
    }

    boolean filterIsSkipped(Pod pod) {
        PodInfo admitted = cluster.admit(pod);
        boolean skipped = plugin.preFilter(new CycleState(), admitted) instanceof PreFilterResult.Skip;
        cluster.dismiss(admitted);
        return skipped;
    }

    /** The verdict on each node, found for all nodes at once. */
    SortedMap<String, Status> verdicts(Pod pod) {
        PodInfo admitted = cluster.admit(pod);
        CycleState state = new CycleState();
        Rejections rejections = Rejections.create().rejections();
        NodeSet candidates = cluster.view().nodes().present().copy();
        if (!(plugin.preFilter(state, admitted) instanceof PreFilterResult.Skip)) {
            plugin.filterAll(state, admitted, candidates, rejections);
        }
        SortedMap<String, Status> verdicts = new TreeMap<>();
        forEach(candidates, node -> verdicts.put(cluster.view().nodes().name(node), Status.SUCCESS));
        for (Rejection rejection : rejections.copy()) {
            forEach(
                    rejection.nodes(),
                    node -> verdicts.put(cluster.view().nodes().name(node), rejection.status()));
        }
        cluster.dismiss(admitted);
        return verdicts;
    }

    /** The verdict on each node, found node by node. */
    SortedMap<String, Status> verdictsOneByOne(Pod pod) {
        PodInfo admitted = cluster.admit(pod);
        CycleState state = new CycleState();
        SortedMap<String, Status> verdicts = new TreeMap<>();
        forEach(
                cluster.view().nodes().present().copy(),
                node -> verdicts.put(
                        cluster.view().nodes().name(node),
                        plugin.filter(state, admitted, cluster.view().nodeInfo(node))));
        cluster.dismiss(admitted);
        return verdicts;
    }

    boolean scoreIsSkipped(Pod pod) {
        PodInfo admitted = cluster.admit(pod);
        boolean skipped = plugin.preScore(
                        new CycleState(), admitted, cluster.view().nodeInfos())
                .isSkip();
        cluster.dismiss(admitted);
        return skipped;
    }

    SortedMap<String, Integer> scores(Pod pod) {
        return scores(pod, cluster.view().nodes().present().copy());
    }

    /** Normalised scores of the feasible nodes, found for all at once; 0 where the plugin has nothing to say. */
    SortedMap<String, Integer> scores(Pod pod, NodeSet feasible) {
        PodInfo admitted = cluster.admit(pod);
        CycleState state = new CycleState();
        NodeScores scores = new NodeScores();
        if (plugin.preScore(state, admitted, cluster.view().nodeInfos(feasible)).isSkip()) {
            scores.uniform(0);
        } else {
            plugin.scoreAll(state, admitted, feasible, scores);
        }
        cluster.dismiss(admitted);
        SortedMap<String, Integer> byName = new TreeMap<>();
        forEach(feasible, node -> byName.put(cluster.view().nodes().name(node), scores.of(node)));
        return byName;
    }

    /** As {@link #scores(Pod, NodeSet)}, found node by node. */
    SortedMap<String, Integer> scoresOneByOne(Pod pod, NodeSet feasible) {
        PodInfo admitted = cluster.admit(pod);
        CycleState state = new CycleState();
        long[] scores = new long[cluster.view().nodes().end()];
        if (!plugin.preScore(state, admitted, cluster.view().nodeInfos(feasible))
                .isSkip()) {
            forEach(
                    feasible,
                    node -> scores[node] =
                            plugin.score(state, admitted, cluster.view().nodeInfo(node)));
            plugin.normalize(state, admitted, new RawScores(feasible, scores));
        }
        cluster.dismiss(admitted);
        SortedMap<String, Integer> byName = new TreeMap<>();
        forEach(feasible, node -> byName.put(cluster.view().nodes().name(node), (int) scores[node]));
        return byName;
    }

    NodeSet nodes(Iterable<String> names) {
        NodeSet nodes = new NodeSet();
        names.forEach(name -> nodes.add(cluster.view().nodes().find(name)));
        return nodes;
    }

    /** Who is feasible, in short. */
    static String feasible(Map<String, Status> verdicts) {
        return String.join(
                " ",
                verdicts.entrySet().stream()
                        .filter(verdict -> verdict.getValue().isSuccess())
                        .map(Map.Entry::getKey)
                        .toList());
    }

    private static void forEach(NodeSetView nodes, IntConsumer visitor) {
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            visitor.accept(node);
        }
    }
}
