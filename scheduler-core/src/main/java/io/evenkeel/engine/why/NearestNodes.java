package io.evenkeel.engine.why;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.framework.run.Objection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** All nodes by what is in a pod's way there, fewest things first. */
final class NearestNodes {
    private final Hypothesis asItIs;
    private final Ways ways;
    private final List<NearNode> sorted = new ArrayList<>();

    NearestNodes(Hypothesis asItIs, Ways ways) {
        this.asItIs = asItIs;
        this.ways = ways;
        ClusterView cluster = asItIs.view();
        IntFunction<List<Objection>> objections = asItIs.objections();
        for (int node = 0; node < cluster.nodes().end(); node++) {
            if (cluster.nodes().isPresent(node)) {
                List<Objection> there = objections.apply(node);
                double distance = 0;
                for (Objection objection : there) {
                    distance += ways.distance(objection, asItIs.pod(), cluster.nodeInfo(node));
                }
                sorted.add(new NearNode(cluster.nodes().name(node), there, List.of(), distance));
            }
        }
        sorted.sort(NearNode.ORDER);
    }

    List<NearNode> first(int most) {
        return sorted.stream().limit(most).map(this::withLacks).toList();
    }

    private NearNode withLacks(NearNode node) {
        List<String> lacks = new ArrayList<>();
        for (Objection objection : node.objections()) {
            ways.past(objection, asItIs.pod(), asItIs.nodeInfo(node.name())).stream()
                    .findFirst()
                    .ifPresent(way -> way.forEach(change -> lacks.add(change.text())));
        }
        return new NearNode(node.name(), node.objections(), List.copyOf(lacks), node.distance());
    }

    /** The nearest of each sort of nodes that the same things are in the way of. */
    List<NearNode> oneOfEachSort(int most) {
        Map<List<Objection>, NearNode> sorts = new HashMap<>();
        for (NearNode node : sorted) {
            sorts.putIfAbsent(node.objections(), node);
        }
        return sorts.values().stream().sorted(NearNode.ORDER).limit(most).toList();
    }
}
