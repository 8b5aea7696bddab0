package io.evenkeel.lab.demo;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The API's view at one moment.
 *
 * @param nodes by zone and name
 * @param pods by name, without pods that are about to go
 */
record Cluster(List<Node> nodes, List<Pod> pods) {
    private static final String ZONE = "topology.kubernetes.io/zone";

    static Cluster of(Stream<Node> nodes, Stream<Pod> pods) {
        return new Cluster(
                nodes.sorted(Comparator.comparing(Cluster::zoneOf).thenComparing(Node::name))
                        .toList(),
                pods.filter(pod -> !pod.meta().terminating())
                        .sorted(Comparator.comparing(Pod::name))
                        .toList());
    }

    static String zoneOf(Node node) {
        return node.labels().getOrDefault(ZONE, "no zone");
    }

    /** Keeps the nodes, and the pods of one app only. */
    Cluster ofApp(String app) {
        return only(pod -> pod.labels().getOrDefault("app", "").equals(app));
    }

    Cluster only(Predicate<Pod> wanted) {
        return new Cluster(nodes, pods.stream().filter(wanted).toList());
    }

    List<Pod> podsOn(Node node) {
        return pods.stream()
                .filter(pod -> pod.spec().nodeName().equals(node.name()))
                .toList();
    }

    boolean isOn(String pod, String node) {
        return pods.stream()
                .anyMatch(each ->
                        each.name().equals(pod) && each.spec().nodeName().equals(node));
    }

    List<Pod> waiting() {
        return pods.stream().filter(pod -> !pod.isPlaced()).toList();
    }

    /** Whether there are this many pods and all have a node. */
    boolean hasPlaced(int number) {
        return pods.size() == number && pods.stream().allMatch(Pod::isPlaced);
    }

    /** Whether as many pods have a node, and as many were told that none suits them. */
    boolean hasPlacedAndRefused(int placed, int refused) {
        List<Pod> waiting = waiting();
        return pods.size() == placed + refused
                && waiting.size() == refused
                && waiting.stream().allMatch(Cluster::isRefused);
    }

    static boolean isRefused(Pod pod) {
        return pod.status()
                .scheduled()
                .map(PodCondition::reason)
                .filter("Unschedulable"::equals)
                .isPresent();
    }

    /** How many pods each zone has, none included. */
    Map<String, Integer> podsByZone() {
        return podsBy(Cluster::zoneOf);
    }

    Map<String, Integer> podsByNode() {
        return podsBy(Node::name);
    }

    /** By how much the fullest domain exceeds the emptiest. */
    static int skew(Map<String, Integer> podsByDomain) {
        return Collections.max(podsByDomain.values()) - Collections.min(podsByDomain.values());
    }

    private Map<String, Integer> podsBy(Function<Node, String> domain) {
        Map<String, Long> byNode =
                pods.stream().collect(groupingBy(pod -> pod.spec().nodeName(), counting()));
        Map<String, Integer> counts = new TreeMap<>();
        nodes.forEach(node ->
                counts.merge(domain.apply(node), Math.toIntExact(byNode.getOrDefault(node.name(), 0L)), Integer::sum));
        return counts;
    }

    /** In one line: how many pods have a node, and what the first of the others was told. */
    String sentence() {
        List<Pod> waiting = waiting();
        String placed = pods.size() - waiting.size() + " of " + pods.size() + " pods have a node";
        return waiting.stream()
                .findFirst()
                .map(pod -> placed + "; " + pod.name() + " waits: "
                        + pod.status().scheduled().map(PodCondition::message).orElse("not looked at yet"))
                .orElse(placed);
    }
}
