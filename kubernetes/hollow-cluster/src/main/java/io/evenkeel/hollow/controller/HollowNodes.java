package io.evenkeel.hollow.controller;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.DeleteOptions;
import io.evenkeel.hollow.registry.Deletion;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import java.util.concurrent.atomic.AtomicInteger;

/** The nodes of a hollow cluster. */
public final class HollowNodes {

    private final Registry registry;
    private final Deletion deletion;
    private final AtomicInteger added = new AtomicInteger();

    public HollowNodes(Registry registry, Deletion deletion) {
        this.registry = registry;
        this.deletion = deletion;
    }

    /** Adds a node that is ready at once. */
    public void add(String name, String zone, Capacity capacity) {
        registry.create(
                ResourceTable.NODES,
                "",
                NodeTree.of(
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
        deletion.delete(ResourceTable.NODES, "", name, DeleteOptions.DEFAULT);
    }

    /** A node as its kubelet would register it. */
    private static final class NodeTree {

        private static final String VERSION = "v1.36.0";
        private static final String[][] CONDITIONS = {
            {"MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"},
            {"DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"},
            {"PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"},
            {"Ready", "True", "KubeletReady", "kubelet is posting ready status"},
        };

        private NodeTree() {}

        static JsonObject of(String name, String zone, Capacity capacity, int number, String now) {
            JsonObject tree = new JsonObject();
            JsonObject metadata = Trees.ensureObject(tree, "metadata");
            metadata.addProperty("name", name);
            metadata.add("labels", labels(name, zone));
            JsonObject spec = Trees.ensureObject(tree, "spec");
            spec.addProperty("podCIDR", PodNetwork.cidr(number));
            spec.addProperty("providerID", "hollow://" + name);
            JsonObject status = Trees.ensureObject(tree, "status");
            status.add("capacity", resources(capacity));
            status.add("allocatable", resources(capacity));
            status.add("conditions", conditions(now));
            status.add("addresses", addresses(name, number));
            status.add("nodeInfo", info());
            status.add("images", images());
            return tree;
        }

        private static JsonObject labels(String name, String zone) {
            JsonObject labels = new JsonObject();
            labels.addProperty("kubernetes.io/hostname", name);
            labels.addProperty("kubernetes.io/os", "linux");
            labels.addProperty("kubernetes.io/arch", "amd64");
            labels.addProperty("node.kubernetes.io/instance-type", "hollow");
            labels.addProperty("topology.kubernetes.io/region", "hollow");
            labels.addProperty("topology.kubernetes.io/zone", zone);
            return labels;
        }

        private static JsonObject resources(Capacity capacity) {
            JsonObject resources = new JsonObject();
            resources.addProperty("cpu", capacity.cpu());
            resources.addProperty("ephemeral-storage", capacity.ephemeralStorage());
            resources.addProperty("memory", capacity.memory());
            resources.addProperty("pods", Integer.toString(capacity.pods()));
            return resources;
        }

        private static JsonArray conditions(String now) {
            JsonArray conditions = new JsonArray();
            for (String[] each : CONDITIONS) {
                JsonObject condition = new JsonObject();
                condition.addProperty("type", each[0]);
                condition.addProperty("status", each[1]);
                condition.addProperty("lastHeartbeatTime", now);
                condition.addProperty("lastTransitionTime", now);
                condition.addProperty("reason", each[2]);
                condition.addProperty("message", each[3]);
                conditions.add(condition);
            }
            return conditions;
        }

        private static JsonArray addresses(String name, int number) {
            JsonArray addresses = new JsonArray();
            addresses.add(address("InternalIP", PodNetwork.nodeAddress(number)));
            addresses.add(address("Hostname", name));
            return addresses;
        }

        private static JsonObject address(String type, String value) {
            JsonObject address = new JsonObject();
            address.addProperty("type", type);
            address.addProperty("address", value);
            return address;
        }

        private static JsonObject info() {
            JsonObject info = new JsonObject();
            info.addProperty("kernelVersion", "0.0.0-hollow");
            info.addProperty("osImage", "hollow");
            info.addProperty("containerRuntimeVersion", "hollow://0.0.0");
            info.addProperty("kubeletVersion", VERSION);
            info.addProperty("operatingSystem", "linux");
            info.addProperty("architecture", "amd64");
            return info;
        }

        private static JsonArray images() {
            JsonArray names = new JsonArray();
            names.add("registry.k8s.io/pause:3.10");
            JsonObject image = new JsonObject();
            image.add("names", names);
            image.addProperty("sizeBytes", 736_868);
            JsonArray images = new JsonArray();
            images.add(image);
            return images;
        }
    }
}
