package io.evenkeel.cluster;

import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Service;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** An index as a plugin may bring one: how many pods of which app are on which node, the names of nodes, the Services. */
final class AppIndex implements ClusterIndex {
    private final PodTable pods;
    private final Map<String, Map<Integer, Integer>> podsByApp = new TreeMap<>();
    private final Set<String> nodes = new TreeSet<>();
    private final Set<String> services = new TreeSet<>();

    AppIndex(ClusterView cluster) {
        pods = cluster.pods();
    }

    int podsOf(String app, int node) {
        return podsByApp.getOrDefault(app, Map.of()).getOrDefault(node, 0);
    }

    Set<String> nodes() {
        return nodes;
    }

    Set<String> services() {
        return services;
    }

    private static String appOf(Pod pod) {
        return pod.labels().getOrDefault("app", "");
    }

    private void add(int row, int delta) {
        podsByApp.merge(appOf(pods.pod(row)), Map.of(pods.node(row), delta), AppIndex::sum);
        podsByApp.values().removeIf(Map::isEmpty);
    }

    private static Map<Integer, Integer> sum(Map<Integer, Integer> one, Map<Integer, Integer> other) {
        Map<Integer, Integer> sum = new TreeMap<>(one);
        other.forEach((node, count) -> sum.merge(node, count, Integer::sum));
        sum.values().removeIf(count -> count == 0);
        return sum;
    }

    @Override
    public void podPlaced(int row) {
        add(row, 1);
    }

    @Override
    public void podRemoved(int row) {
        add(row, -1);
    }

    @Override
    public void nodeChanged(int node, Optional<Node> before, Optional<Node> after) {
        before.ifPresent(gone -> nodes.remove(gone.name()));
        after.ifPresent(come -> nodes.add(come.name()));
    }

    @Override
    public void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        before.filter(Service.class::isInstance)
                .ifPresent(gone -> services.remove(gone.meta().key()));
        after.filter(Service.class::isInstance)
                .ifPresent(come -> services.add(come.meta().key()));
    }

    @Override
    public void audit(AuditFacts facts, Differences differences) {
        Set<String> apps = new HashSet<>(podsByApp.keySet());
        facts.pods().forEach(placed -> apps.add(appOf(placed.pod())));
        for (String app : apps) {
            differences.compare(
                    () -> "pods of app " + app,
                    podsByApp.getOrDefault(app, Map.of()),
                    facts.podsByNode(pod -> appOf(pod).equals(app)));
        }
        Set<String> recounted = new TreeSet<>();
        facts.nodes().values().forEach(node -> recounted.add(node.name()));
        differences.compare(() -> "nodes by name", nodes, recounted);
    }

    @Override
    public void describe(AuditFacts facts, Consumer<String> line) {
        line.accept("apps " + podsByApp + " on " + nodes + " with " + services);
    }
}
