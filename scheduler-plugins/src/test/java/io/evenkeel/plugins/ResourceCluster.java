package io.evenkeel.plugins;

import static io.evenkeel.model.build.NodeBuilder.node;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.PreScorePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.config.PluginArgs.NodeResourcesBalancedAllocationArgs;
import io.evenkeel.config.PluginArgs.NodeResourcesFitArgs;
import io.evenkeel.config.PluginArgs.ResourceWeight;
import io.evenkeel.config.PluginArgs.ScoringStrategy;
import io.evenkeel.config.PluginArgs.UtilizationShape.ShapePoint;
import io.evenkeel.framework.BatchScorePlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.NodeScores;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.plugins.devices.ScoredDevices;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/** A cluster of nodes with resources, and the two plugins asked about it in one call. */
final class ResourceCluster {
    final ClusterState state = new ClusterState();

    /** A node for 110 pods; alternating resource names and quantities. */
    ResourceCluster with(String name, String... allocatable) {
        state.putNode(
                node(name).allocatable("pods", "110").allocatable(allocatable).build());
        return this;
    }

    ResourceCluster without(String name) {
        state.removeNode(name);
        return this;
    }

    /** A pod on the node. */
    ResourceCluster place(PodBuilder pod, String node) {
        state.put(pod.nodeName(node).build());
        return this;
    }

    ResourceCluster remove(String pod) {
        state.removePod("default/" + pod);
        return this;
    }

    NodeResourcesFit fit(NodeResourcesFitArgs args) {
        return new NodeResourcesFit(new TreeContext(state.view(), Optional.of(args)), ScoredDevices::new);
    }

    NodeResourcesFit fit() {
        return new NodeResourcesFit(new TreeContext(state.view(), Optional.empty()), ScoredDevices::new);
    }

    NodeResourcesFit fit(ScoringStrategy strategy) {
        return fit(new NodeResourcesFitArgs(List.of(), List.of(), strategy));
    }

    NodeResourcesBalancedAllocation balanced(String... resources) {
        return new NodeResourcesBalancedAllocation(
                new TreeContext(
                        state.view(), Optional.of(new NodeResourcesBalancedAllocationArgs(weighted(1, resources)))),
                ScoredDevices::new);
    }

    static ScoringStrategy strategy(ScoringStrategy.Type type, List<ResourceWeight> resources) {
        return new ScoringStrategy(type, resources, List.of());
    }

    static ScoringStrategy shape(List<ResourceWeight> resources, ShapePoint... points) {
        return new ScoringStrategy(ScoringStrategy.Type.REQUESTED_TO_CAPACITY_RATIO, resources, Arrays.asList(points));
    }

    static List<ResourceWeight> weighted(int weight, String... names) {
        return Arrays.stream(names)
                .map(name -> new ResourceWeight(name, weight))
                .toList();
    }

    /** The status of each node, from the filter for all nodes at once; every node has one, fitting or not. */
    Map<String, Status> verdicts(NodeResourcesFit plugin, Pod pod) {
        PodInfo info = state.admit(pod);
        NodeSet candidates = state.view().nodes().present().copy();
        Rejections rejections = Rejections.create().rejections();
        plugin.filterAll(new CycleState(), info, candidates, rejections);
        Map<String, Status> verdicts = new TreeMap<>();
        forEach(candidates, node -> verdicts.put(state.view().nodes().name(node), Status.SUCCESS));
        rejections
                .copy()
                .forEach(rejection -> forEach(
                        rejection.nodes(),
                        node -> verdicts.put(state.view().nodes().name(node), rejection.status())));
        state.dismiss(info);
        return verdicts;
    }

    /** The same, node by node. */
    Map<String, Status> verdictsOneByOne(NodeResourcesFit plugin, Pod pod) {
        PodInfo info = state.admit(pod);
        Map<String, Status> verdicts = new TreeMap<>();
        NodeSetView present = state.view().nodes().present();
        for (int node = present.first(); node >= 0; node = present.next(node + 1)) {
            verdicts.put(
                    state.view().nodes().name(node),
                    plugin.filter(new CycleState(), info, state.view().nodeInfo(node)));
        }
        state.dismiss(info);
        return verdicts;
    }

    /** The score of each node; empty where the plugin has no say about the pod. */
    <P extends PreScorePlugin & BatchScorePlugin> Map<String, Integer> scores(P plugin, Pod pod) {
        PodInfo info = state.admit(pod);
        Map<String, Integer> byName = new TreeMap<>();
        NodeSet present = state.view().nodes().present().copy();
        if (!plugin.preScore(new CycleState(), info, state.view().nodeInfos()).isSkip()) {
            NodeScores scores = new NodeScores();
            plugin.scoreAll(new CycleState(), info, present, scores);
            for (int node = present.first(); node >= 0; node = present.next(node + 1)) {
                byName.put(state.view().nodes().name(node), scores.of(node));
            }
        }
        state.dismiss(info);
        return byName;
    }

    private static void forEach(NodeSetView set, IntConsumer action) {
        for (int node = set.first(); node >= 0; node = set.next(node + 1)) {
            action.accept(node);
        }
    }
}
