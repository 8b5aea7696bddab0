package io.evenkeel.whatif.why;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.framework.why.Change;
import io.evenkeel.whatif.why.Answer.NearNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;

/** All nodes by what is in a pod's way there, fewest things first. */
final class NearestNodes {
    private final Hypothesis asItIs;
    private final RemedyMenu remedies;
    private final Optional<Objection> outright;
    private final List<NearNode> sorted = new ArrayList<>();

    /** @param outright what turned the pod away before nodes were looked at */
    NearestNodes(Hypothesis asItIs, RemedyMenu remedies, Optional<Objection> outright) {
        this.asItIs = asItIs;
        this.remedies = remedies;
        this.outright = outright;
        ClusterView cluster = asItIs.view();
        IntFunction<List<Objection>> objections = asItIs.objections();
        for (int node = 0; node < cluster.nodes().end(); node++) {
            if (cluster.nodes().isPresent(node)) {
                List<Objection> there = objections.apply(node);
                double distance = 0;
                for (Objection objection : there) {
                    distance += remedies.distance(objection, asItIs.pod(), cluster.nodeInfo(node));
                }
                sorted.add(new NearNode(cluster.nodes().name(node), there, List.of(), distance));
            }
        }
        sorted.sort(NearNode.ORDER);
    }

    List<NearNode> first(int most) {
        return sorted.stream().limit(most).map(this::withLacks).toList();
    }

    /** Returns the objection to the pod everywhere, as it was turned away before nodes were looked at. */
    Optional<Objection> outright() {
        return outright;
    }

    /** Returns changes that might help against that. */
    List<List<Change>> past(Objection everywhere) {
        return sorted.isEmpty()
                ? List.of()
                : remedies.past(
                        everywhere,
                        asItIs.pod(),
                        asItIs.nodeInfo(sorted.getFirst().name()));
    }

    /** How many of some nodes have what in the pod's way, as "NodeResourcesFit: Insufficient cpu". */
    SortedMap<String, Integer> inTheWay(Collection<String> nodes) {
        Set<String> asked = Set.copyOf(nodes);
        SortedMap<String, Integer> counts = new TreeMap<>();
        for (NearNode node : sorted) {
            if (asked.contains(node.name())) {
                node.objections().stream()
                        .flatMap(objection ->
                                objection.status().reasons().stream().map(reason -> objection.plugin() + ": " + reason))
                        .distinct()
                        .forEach(reason -> counts.merge(reason, 1, Integer::sum));
            }
        }
        return counts;
    }

    private NearNode withLacks(NearNode node) {
        Set<String> lacks = new LinkedHashSet<>(); // one change may help against two of them
        for (Objection objection : node.objections()) {
            remedies.past(objection, asItIs.pod(), asItIs.nodeInfo(node.name())).stream()
                    .findFirst()
                    .ifPresentOrElse(
                            way -> way.forEach(change -> lacks.add(change.text())),
                            () -> lacks.addAll(objection.status().reasons()));
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
