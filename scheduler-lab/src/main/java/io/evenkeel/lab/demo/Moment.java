package io.evenkeel.lab.demo;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A cluster at one moment of a story.
 *
 * @param head what the moment is called
 * @param nodes the nodes with their pods: by name, or as dots where a Deployment has made up the names
 * @param waiting the pods that have no node so far
 */
record Moment(String head, Map<Node, List<String>> nodes, List<String> waiting) {
    static final String NEW = "+";
    private static final String DOT = "●";

    static Moment of(String head, Cluster cluster) {
        return of(head, cluster, pod -> false);
    }

    /** Pods that were not there before have a plus sign. */
    static Moment since(Cluster before, String head, Cluster cluster) {
        return of(
                head,
                cluster,
                pod -> before.pods().stream().noneMatch(old -> old.name().equals(pod.name()) && old.isPlaced()));
    }

    private static Moment of(String head, Cluster cluster, Predicate<Pod> isNew) {
        Map<Node, List<String>> nodes = new LinkedHashMap<>();
        for (Node node : cluster.nodes()) {
            nodes.put(
                    node,
                    cluster.podsOn(node).stream()
                            .map(pod -> hasMadeUpName(pod) ? DOT : isNew.test(pod) ? NEW + pod.name() : pod.name())
                            .toList());
        }
        return new Moment(
                head,
                nodes,
                cluster.waiting().stream()
                        .map(pod -> hasMadeUpName(pod) ? DOT : pod.name())
                        .toList());
    }

    /** Empty where there is no such node; it may have changed since another moment. */
    Optional<List<String>> podsOn(String node) {
        return nodes.entrySet().stream()
                .filter(entry -> entry.getKey().name().equals(node))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static boolean hasMadeUpName(Pod pod) {
        return pod.labels().asMap().containsKey("pod-template-hash");
    }
}
