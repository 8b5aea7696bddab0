package io.evenkeel.hollow.controller;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.controller.HollowDevices.Pool;
import io.evenkeel.hollow.controller.WorldOptions.Devices;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Stands in for the drivers of all devices: publishes what each node has, and says that a device is attached when it is asked to be before
 * its pod is bound.
 */
final class SampleDriver implements Controller {
    private static final String FABRIC = "fabric";

    private final Registry registry;
    private final ControlLoop schedule;
    private final HollowDevices published;
    private final Devices devices;
    private final Duration attachment;
    private final Set<String> underWay = new HashSet<>();

    SampleDriver(
            Registry registry, ControlLoop schedule, HollowDevices published, Devices devices, Duration attachment) {
        this.registry = registry;
        this.schedule = schedule;
        this.published = published;
        this.devices = devices;
        this.attachment = attachment;
    }

    /** Makes the classes, and publishes what belongs to no node. */
    void begin() {
        devices.drivers().forEach(driver -> {
            if (registry.find(ResourceTable.DEVICE_CLASSES, "", driver).isEmpty()) {
                registry.create(ResourceTable.DEVICE_CLASSES, "", deviceClass(driver), false);
            }
        });
        ensure(shared());
    }

    private static JsonObject deviceClass(String driver) {
        JsonObject spec = Trees.of(
                "selectors",
                List.of(Trees.of("cel", Trees.of("expression", "device.driver == '" + driver + "'"))),
                "extendedResourceName",
                "example.com/" + driver.substring(0, driver.indexOf('.')));
        return Trees.of("metadata", Trees.of("name", driver), "spec", spec);
    }

    @Override
    public void forEachConcerned(Change change, Consumer<ObjectKey> look) {
        StoredObject object = change.object();
        ObjectKey key = object.key();
        boolean isGone = change instanceof Change.Deleted;
        if (key.table().equals(ResourceTable.NODES.storage())) {
            if (change instanceof Change.Added) {
                look.accept(key);
            }
        } else if (key.table().equals(ResourceTable.RESOURCE_SLICES.storage())) {
            if (isGone) {
                look.accept(node(Trees.text(object.tree(), "spec", "nodeName")));
            }
        } else if (key.table().equals(ResourceTable.RESOURCE_CLAIMS.storage()) && !isGone) {
            look.accept(key);
        }
    }

    private static ObjectKey node(String name) {
        return new ObjectKey(ResourceTable.NODES.storage(), "", name);
    }

    @Override
    public void sync(ObjectKey key) {
        if (key.table().equals(ResourceTable.RESOURCE_CLAIMS.storage())) {
            registry.find(ResourceTable.RESOURCE_CLAIMS, key)
                    .filter(claim -> !Attachment.missing(claim.tree()).isEmpty())
                    .ifPresent(this::attachLater);
        } else if (key.name().isEmpty()) {
            ensure(shared());
        } else {
            registry.find(ResourceTable.NODES, key).ifPresent(node -> ensure(ofNode(node.name())));
        }
    }

    private void ensure(List<Pool> pools) {
        pools.stream().filter(pool -> !published.isThere(pool)).forEach(published::publish);
    }

    private void attachLater(StoredObject claim) {
        if (attachment.isZero()) {
            attach(claim.key(), claim.uid());
        } else if (underWay.add(claim.uid())) {
            schedule.in(attachment, () -> {
                underWay.remove(claim.uid());
                attach(claim.key(), claim.uid());
            });
        }
    }

    private void attach(ObjectKey key, String uid) {
        registry.find(ResourceTable.RESOURCE_CLAIMS, key)
                .filter(claim -> claim.uid().equals(uid))
                .ifPresent(_ -> registry.edit(
                        ResourceTable.RESOURCE_CLAIMS,
                        key,
                        tree -> Attachment.complete(tree, registry.times().now())));
    }

    private List<Pool> shared() {
        List<JsonObject> onFabric = IntStream.range(0, devices.fabric())
                .mapToObj(SampleDriver::onFabric)
                .toList();
        return onFabric.isEmpty()
                ? List.of()
                : List.of(new Pool(Devices.FABRIC, FABRIC, Trees.of("allNodes", true), List.of(), onFabric));
    }

    private List<Pool> ofNode(String node) {
        JsonObject where = Trees.of("nodeName", node);
        List<Pool> pools = new ArrayList<>();
        if (devices.gpus() > 0) {
            List<JsonObject> gpus = IntStream.range(0, devices.gpus())
                    .mapToObj(SampleDriver::gpu)
                    .toList();
            pools.add(new Pool(Devices.GPU, node, where, List.of(), gpus));
        }
        if (devices.partitionable() > 0) {
            List<JsonObject> counters = new ArrayList<>();
            List<JsonObject> parts = new ArrayList<>();
            for (int i = 0; i < devices.partitionable(); i++) {
                counters.add(Trees.of("name", "gpu-" + i, "counters", counters(4)));
                for (Map.Entry<String, Integer> profile :
                        List.of(Map.entry("whole", 4), Map.entry("half", 2), Map.entry("quarter", 1))) {
                    for (int part = 0; part < 4 / profile.getValue(); part++) {
                        parts.add(partition(i, profile.getKey(), part, profile.getValue()));
                    }
                }
            }
            pools.add(new Pool(Devices.PARTITION, node, where, counters, parts));
        }
        if (devices.nics() > 0) {
            List<JsonObject> nics = IntStream.range(0, devices.nics())
                    .mapToObj(SampleDriver::nic)
                    .toList();
            pools.add(new Pool(Devices.NIC, node, where, List.of(), nics));
        }
        return pools;
    }

    private static JsonObject gpu(int index) {
        JsonObject attributes = place(index, index / 2);
        attributes.add("model", text("hollow-80"));
        attributes.add("driverVersion", Trees.of("version", "1.36.0"));
        return Trees.of("name", "gpu-" + index, "attributes", attributes, "capacity", memory(4));
    }

    private static JsonObject partition(int gpu, String profile, int part, int quarters) {
        JsonObject attributes = place(gpu, gpu / 2);
        attributes.add("profile", text(profile));
        return Trees.of(
                "name",
                "gpu-" + gpu + "-" + profile + (quarters == 4 ? "" : "-" + part),
                "attributes",
                attributes,
                "capacity",
                memory(quarters),
                "consumesCounters",
                List.of(Trees.of("counterSet", "gpu-" + gpu, "counters", counters(quarters))));
    }

    private static JsonObject nic(int index) {
        JsonObject range = Trees.of("min", "1G", "max", "100G", "step", "1G");
        JsonObject bandwidth =
                Trees.of("value", "100G", "requestPolicy", Trees.of("default", "1G", "validRange", range));
        return Trees.of(
                "name",
                "nic-" + index,
                "attributes",
                place(index, index),
                "capacity",
                Trees.of("bandwidth", bandwidth),
                "allowMultipleAllocations",
                true);
    }

    private static JsonObject onFabric(int index) {
        return Trees.of(
                "name",
                "accelerator-" + index,
                "attributes",
                Trees.of("index", number(index)),
                "bindsToNode",
                true,
                "bindingConditions",
                List.of("fabric.example.com/attached"),
                "bindingFailureConditions",
                List.of("fabric.example.com/failed"));
    }

    /** Where in its node a device is: two GPUs and one NIC share a root, two roots a NUMA node. */
    private static JsonObject place(int index, int root) {
        return Trees.of(
                "index",
                number(index),
                "numa",
                number(root / 2),
                "resource.kubernetes.io/pcieRoot",
                text("pci0000:%02x".formatted(root)));
    }

    private static JsonObject counters(int quarters) {
        JsonObject counters = memory(quarters);
        counters.add("engines", Trees.of("value", Integer.toString(quarters)));
        return counters;
    }

    private static JsonObject memory(int quarters) {
        return Trees.of("memory", Trees.of("value", quarters * 20 + "Gi"));
    }

    private static JsonObject number(int value) {
        return Trees.of("int", value);
    }

    private static JsonObject text(String value) {
        return Trees.of("string", value);
    }

    /** The conditions that the devices of a claim must meet before its pods are bound. */
    private static final class Attachment {

        private Attachment() {}

        /** The devices that are allocated and not attached. */
        static List<JsonObject> missing(JsonObject claim) {
            return Trees.objects(claim, "status", "allocation", "devices", "results").stream()
                    .filter(result -> !Trees.texts(result, "bindingConditions").isEmpty())
                    .filter(result -> Trees.objects(claim, "status", "devices").stream()
                            .noneMatch(device -> isSame(device, result)))
                    .toList();
        }

        /** A device that has a status has it from elsewhere, and keeps it. */
        static void complete(JsonObject claim, String now) {
            for (JsonObject result : missing(claim)) {
                JsonArray conditions = new JsonArray();
                Trees.texts(result, "bindingConditions")
                        .forEach(type -> conditions.add(Trees.of(
                                "type",
                                type,
                                "status",
                                "True",
                                "lastTransitionTime",
                                now,
                                "reason",
                                "Attached",
                                "message",
                                "")));
                JsonObject device = new JsonObject();
                List.of("driver", "pool", "device", "shareID").stream()
                        .filter(result::has)
                        .forEach(member -> device.add(member, result.get(member)));
                device.add("conditions", conditions);
                Trees.ensureArray(Trees.ensureObject(claim, "status"), "devices")
                        .add(device);
            }
        }

        private static boolean isSame(JsonObject device, JsonObject result) {
            return List.of("driver", "pool", "device", "shareID").stream()
                    .allMatch(member -> Trees.text(device, member).equals(Trees.text(result, member)));
        }
    }
}
