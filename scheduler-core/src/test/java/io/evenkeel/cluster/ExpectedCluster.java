package io.evenkeel.cluster;

import io.evenkeel.cluster.counting.Namespaces;
import io.evenkeel.cluster.node.NodeRoom;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Service;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What must be in a cluster after some events, in plain maps: what the audit cannot know, since it starts from there. */
final class ExpectedCluster {
    record Placed(Pod pod, String node, boolean assumed) {}

    record HeldImage(long sizeBytes, Set<String> nodes) {}

    final Map<String, Node> nodes = new TreeMap<>();
    final Map<String, Placed> pods = new TreeMap<>();
    final Map<String, Labels> namespaces = new TreeMap<>();
    final Map<String, HeldImage> images = new TreeMap<>();
    final Map<String, Service> services = new TreeMap<>();
    final Map<String, WorkloadOwner> owners = new TreeMap<>();

    ExpectedCluster copy() {
        ExpectedCluster copy = new ExpectedCluster();
        copy.restore(this);
        return copy;
    }

    /** Services and owners cannot be supposed, so they stay. */
    void restore(ExpectedCluster before) {
        nodes.clear();
        nodes.putAll(before.nodes);
        pods.clear();
        pods.putAll(before.pods);
        namespaces.clear();
        namespaces.putAll(before.namespaces);
        images.clear();
        before.images.forEach((name, image) ->
                images.put(name, new HeldImage(image.sizeBytes(), new LinkedHashSet<>(image.nodes()))));
    }

    void put(Node node) {
        removeNode(node.name());
        nodes.put(node.name(), node);
        node.images()
                .forEach(image -> image.names()
                        .forEach(name -> images.computeIfAbsent(
                                        name, absent -> new HeldImage(image.sizeBytes(), new LinkedHashSet<>()))
                                .nodes()
                                .add(node.name())));
    }

    void removeNode(String name) {
        nodes.remove(name);
        images.values().forEach(image -> image.nodes().remove(name));
        images.values().removeIf(image -> image.nodes().isEmpty());
    }

    void put(Pod pod) {
        Placed known = pods.get(pod.key());
        boolean isTheAssumed = known != null
                && known.assumed()
                && known.pod().meta().uid().equals(pod.meta().uid());
        if (pod.status().isFinished()) {
            pods.remove(pod.key());
        } else if (pod.isPlaced()) {
            pods.put(pod.key(), new Placed(pod, pod.spec().nodeName(), false));
        } else if (!isTheAssumed) {
            pods.remove(pod.key());
        }
    }

    List<String> differences(ClusterState cluster) {
        Map<String, Node> keptNodes = new TreeMap<>();
        Map<String, Placed> keptPods = new TreeMap<>();
        Map<String, HeldImage> keptImages = new TreeMap<>();
        NodeTable table = cluster.view().nodes();
        for (int node = 0; node < table.end(); node++) {
            if (table.isPresent(node)) {
                keptNodes.put(table.name(node), table.node(node));
            }
        }
        for (int row = 0; row < cluster.view().pods().end(); row++) {
            if (!cluster.view().pods().isFree(row)) {
                Pod pod = cluster.view().pods().pod(row);
                keptPods.put(
                        pod.key(),
                        new Placed(
                                pod,
                                table.name(cluster.view().pods().node(row)),
                                cluster.view().pods().isAssumed(row)));
            }
        }
        NodeRoom.imagesByName(cluster.view().images()).forEach((name, image) -> {
            Set<String> holders = new LinkedHashSet<>();
            for (int node = image.nodes().first();
                    node >= 0;
                    node = image.nodes().next(node + 1)) {
                holders.add(table.name(node));
            }
            keptImages.put(name, new HeldImage(image.sizeBytes(), holders));
        });
        List<String> differences = new ArrayList<>();
        compare("nodes", keptNodes, nodes, differences);
        compare("pods", keptPods, pods, differences);
        Map<String, Labels> keptNamespaces = new TreeMap<>();
        Namespaces known = cluster.view().namespaces();
        known.names()
                .forEach(name -> keptNamespaces.put(name, known.labelsOf(name).orElseThrow()));
        compare("namespaces", keptNamespaces, namespaces, differences);
        compare("images", keptImages, images, differences);
        return differences;
    }

    private static void compare(String what, Object kept, Object expected, List<String> differences) {
        if (!kept.equals(expected)) {
            differences.add(what + ": kept " + kept + ", expected " + expected);
        }
    }
}
