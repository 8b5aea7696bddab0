package io.evenkeel.hollow.controller;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.DeleteOptions;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The nodes of a hollow cluster. */
public final class HollowNodes {
    private static final String[][] CONDITIONS = {
        {"MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"},
        {"DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"},
        {"PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"},
        {"Ready", "True", "KubeletReady", "kubelet is posting ready status"},
    };

    private final Registry registry;
    private final AtomicInteger added = new AtomicInteger();

    public HollowNodes(Registry registry) {
        this.registry = registry;
    }

    /** Adds a node that is ready at once. */
    public void add(String name, String zone, Capacity capacity) {
        registry.create(
                ResourceTable.NODES,
                "",
                tree(
                        name,
                        zone,
                        capacity,
                        added.getAndIncrement(),
                        registry.times().now()),
                false);
    }

    /** Adds {@code node-0}, {@code node-1} and so on, in turn to {@code zone-0}, {@code zone-1} and so on. */
    public void add(int nodes, int zones, Capacity capacity) {
        for (int i = 0; i < nodes; i++) {
            int number = added.get();
            add("node-" + number, "zone-" + number % zones, capacity);
        }
    }

    /** Takes a node away; its pods are lost. */
    public void remove(String name) {
        registry.delete(ResourceTable.NODES, "", name, DeleteOptions.DEFAULT);
    }

    /** A node as its kubelet would register it. */
    private static JsonObject tree(String name, String zone, Capacity capacity, int number, String now) {
        JsonObject labels = Trees.of(
                "kubernetes.io/hostname", name,
                "kubernetes.io/os", "linux",
                "kubernetes.io/arch", "amd64",
                "node.kubernetes.io/instance-type", "hollow",
                "topology.kubernetes.io/region", "hollow",
                "topology.kubernetes.io/zone", zone);
        JsonObject resources = Trees.of(
                "cpu", capacity.cpu(),
                "ephemeral-storage", capacity.ephemeralStorage(),
                "memory", capacity.memory(),
                "pods", Integer.toString(capacity.pods()));
        JsonObject info = Trees.of(
                "kernelVersion", "0.0.0-hollow",
                "osImage", "hollow",
                "containerRuntimeVersion", "hollow://0.0.0",
                "kubeletVersion", "v1.36.0",
                "operatingSystem", "linux",
                "architecture", "amd64");
        JsonObject image = Trees.of("names", List.of("registry.k8s.io/pause:3.10"), "sizeBytes", 736_868);
        JsonObject status = Trees.of("capacity", resources, "allocatable", resources.deepCopy());
        status.add("conditions", conditions(now));
        status.add("addresses", addresses(name, number));
        status.add("nodeInfo", info);
        Trees.ensureArray(status, "images").add(image);
        return Trees.of(
                "metadata", Trees.of("name", name, "labels", labels),
                "spec", Trees.of("podCIDR", PodNetwork.cidr(number), "providerID", "hollow://" + name),
                "status", status);
    }

    private static JsonArray conditions(String now) {
        JsonArray conditions = new JsonArray();
        for (String[] each : CONDITIONS) {
            conditions.add(Trees.of(
                    "type", each[0],
                    "status", each[1],
                    "lastHeartbeatTime", now,
                    "lastTransitionTime", now,
                    "reason", each[2],
                    "message", each[3]));
        }
        return conditions;
    }

    private static JsonArray addresses(String name, int number) {
        JsonArray addresses = new JsonArray();
        addresses.add(Trees.of("type", "InternalIP", "address", PodNetwork.nodeAddress(number)));
        addresses.add(Trees.of("type", "Hostname", "address", name));
        return addresses;
    }

    /** Addresses that look real: 256 to a node, for up to 65,536 nodes. */
    static final class PodNetwork {

        private static final int BYTE = 256;

        private PodNetwork() {}

        static String nodeAddress(int node) {
            return "172.16.%d.%d".formatted(node / BYTE % BYTE, node % BYTE);
        }

        static String cidr(int node) {
            return "10.%d.%d.0/24".formatted(node / BYTE % BYTE, node % BYTE);
        }

        /** The address of the n-th pod of a node. */
        static String podAddress(StoredObject node, int pod) {
            String cidr = Trees.text(node.tree(), "spec", "podCIDR");
            String network = cidr.isEmpty() ? "10.0.0" : cidr.substring(0, cidr.lastIndexOf('.'));
            return network + "." + (pod % (BYTE - 2) + 1);
        }
    }
}
