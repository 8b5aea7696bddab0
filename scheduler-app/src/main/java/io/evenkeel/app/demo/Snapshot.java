package io.evenkeel.app.demo;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A cluster at one moment of a story.
 *
 * @param head what the moment is called
 * @param nodes the nodes with their pods
 * @param waiting the pods that fit nowhere so far
 */
record Snapshot(String head, Map<Node, List<Standing>> nodes, List<String> waiting) {

    /** A pod on a node, and whether the scheduler put it there during the story. */
    record Standing(String pod, boolean isNew) {}

    private static final Comparator<Standing> OLD_ONES_FIRST =
            Comparator.comparing(Standing::isNew).thenComparing(Standing::pod);

    static Snapshot of(String head, DemoCluster cluster) {
        Map<Node, List<Standing>> nodes = new LinkedHashMap<>();
        for (Node node : cluster.nodes()) {
            nodes.put(
                    node,
                    cluster.podsOn(node).stream()
                            .map(pod -> new Standing(pod.name(), cluster.isPlacedHere(pod)))
                            .sorted(OLD_ONES_FIRST)
                            .toList());
        }
        return new Snapshot(
                head, nodes, cluster.waiting().stream().map(Pod::name).toList());
    }
}
