package io.evenkeel.lab.bench;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.problem.UserProblem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The placements at the end, counted from the objects alone. */
final class Placements {
    record Placement(Pod pod, Node node) {
        /** Empty where the node does not have the label. */
        String domain(String topologyKey) {
            return node.labels().getOrDefault(topologyKey, "");
        }
    }

    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final List<Placement> all = new ArrayList<>();
    private final Map<Labels, List<Placement>> byLabels = new HashMap<>();

    /**
     * The pods among the objects are on the nodes that they name.
     *
     * @param nodeNames of the pods that were to be placed, empty where one was not
     */
    static Placements of(List<KubernetesObject> objects, List<Pod> pods, List<String> nodeNames) {
        Placements placements = new Placements();
        for (KubernetesObject object : objects) {
            if (object instanceof Node node) {
                placements.nodes.put(node.name(), node);
            }
        }
        for (KubernetesObject object : objects) {
            if (object instanceof Pod pod && pod.isPlaced()) {
                placements.add(pod, pod.spec().nodeName());
            }
        }
        for (int i = 0; i < pods.size(); i++) {
            if (!nodeNames.get(i).isEmpty()) {
                placements.add(pods.get(i), nodeNames.get(i));
            }
        }
        return placements;
    }

    List<Placement> all() {
        return all;
    }

    /** The number of pods that the selector matches in each domain, zero included. */
    Map<String, Integer> countByDomain(LabelSelector selector, String topologyKey) {
        return countByDomain(selector, topologyKey, node -> true);
    }

    /** Counts some of the nodes alone. */
    Map<String, Integer> countByDomain(LabelSelector selector, String topologyKey, Predicate<Node> counts) {
        Map<String, Integer> byDomain = new HashMap<>();
        Set<Node> counted = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Node node : nodes.values()) {
            if (node.labels().has(topologyKey) && counts.test(node)) {
                counted.add(node);
                byDomain.put(node.labels().getOrDefault(topologyKey, ""), 0);
            }
        }
        byLabels.forEach((labels, placed) -> {
            if (selector.matches(labels)) {
                placed.forEach(placement -> {
                    if (counted.contains(placement.node())) {
                        byDomain.merge(placement.domain(topologyKey), 1, Integer::sum);
                    }
                });
            }
        });
        return byDomain;
    }

    private void add(Pod pod, String nodeName) {
        Node node = nodes.get(nodeName);
        if (node == null) {
            throw new UserProblem("pod " + pod.key() + " is on " + nodeName + ", which is no node");
        }
        Placement placement = new Placement(pod, node);
        all.add(placement);
        byLabels.computeIfAbsent(pod.labels(), labels -> new ArrayList<>()).add(placement);
    }
}
