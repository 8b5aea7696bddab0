package io.evenkeel.tools.simulate;

import io.evenkeel.cluster.shape.PodRequests;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.Quantity;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The offers of some nodes, and the requests of the pods on them.
 *
 * @param inUse nodes with a pod
 * @param fullestCpu the share of its cpu that is asked for on the node where that is most
 */
record Use(
        int nodes,
        int inUse,
        int pods,
        double cpu,
        double cpuOffered,
        double memory,
        double memoryOffered,
        double fullestCpu) {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final Use NONE = new Use(0, 0, 0, 0, 0, 0, 0, 0);

    /** Of nodes without the label, the name is empty. */
    static SortedMap<String, Use> byZone(ClusterPicture picture) {
        SortedMap<String, Use> zones = new TreeMap<>();
        ofNodes(picture).forEach((node, use) -> {
            String zone =
                    ((Node) picture.find("Node", node).orElseThrow()).labels().getOrDefault(ZONE, "");
            zones.merge(zone, use, Use::plus);
        });
        return zones;
    }

    static Use of(ClusterPicture picture) {
        return ofNodes(picture).values().stream().reduce(NONE, Use::plus);
    }

    private static Map<String, Use> ofNodes(ClusterPicture picture) {
        Map<String, Use> uses = new HashMap<>();
        for (Node node : picture.nodes()) {
            uses.put(
                    node.name(),
                    new Use(1, 0, 0, 0, amount(node.allocatable(), "cpu"), 0, amount(node.allocatable(), "memory"), 0));
        }
        for (Pod pod : picture.pods()) {
            uses.computeIfPresent(pod.spec().nodeName(), (_, use) -> use.with(PodRequests.of(pod)));
        }
        return uses;
    }

    private Use with(Map<String, Quantity> requests) {
        double all = cpu + amount(requests, "cpu");
        return new Use(
                nodes,
                1,
                pods + 1,
                all,
                cpuOffered,
                memory + amount(requests, "memory"),
                memoryOffered,
                share(all, cpuOffered));
    }

    private Use plus(Use other) {
        return new Use(
                nodes + other.nodes,
                inUse + other.inUse,
                pods + other.pods,
                cpu + other.cpu,
                cpuOffered + other.cpuOffered,
                memory + other.memory,
                memoryOffered + other.memoryOffered,
                Math.max(fullestCpu, other.fullestCpu));
    }

    double cpuShare() {
        return share(cpu, cpuOffered);
    }

    double memoryShare() {
        return share(memory, memoryOffered);
    }

    static Use none() {
        return NONE;
    }

    private static double share(double part, double whole) {
        return whole == 0 ? 0 : part / whole;
    }

    private static double amount(Map<String, Quantity> amounts, String resource) {
        return amounts.getOrDefault(resource, Quantity.ZERO).doubleValue();
    }
}
