package io.evenkeel.hollow.controller;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The devices of a hollow cluster, published in ResourceSlices. */
public record HollowDevices(Registry registry) {
    private static final int DEVICES = 128;
    private static final int CONSUMING_DEVICES = 64;
    private static final int COUNTER_SETS = 8;

    /**
     * Devices that are published together.
     *
     * @param nodes the members of a slice's spec that say which nodes reach them, such as {@code nodeName}
     * @param counters counter sets, as in {@code sharedCounters}
     */
    public record Pool(
            String driver, String name, JsonObject nodes, List<JsonObject> counters, List<JsonObject> devices) {

        private String sliceName(int number) {
            return name + "-" + driver + "-" + number;
        }

        /** The content of each of its slices: counters or devices, never both. */
        private List<JsonObject> parts() {
            List<JsonObject> parts = new ArrayList<>(parts("sharedCounters", counters, COUNTER_SETS));
            parts.addAll(parts("devices", devices, counters.isEmpty() ? DEVICES : CONSUMING_DEVICES));
            return parts;
        }

        private static List<JsonObject> parts(String member, List<JsonObject> all, int most) {
            List<JsonObject> parts = new ArrayList<>();
            for (int i = 0; i < all.size(); i += most) {
                JsonArray some = new JsonArray();
                all.subList(i, Math.min(i + most, all.size())).forEach(each -> some.add(each.deepCopy()));
                JsonObject part = new JsonObject();
                part.add(member, some);
                parts.add(part);
            }
            return parts;
        }
    }

    /**
     * Publishes a pool in as many slices as it needs, one after the other as a driver does; one that is there becomes its next generation.
     */
    public void publish(Pool pool) {
        List<JsonObject> parts = pool.parts();
        long generation = find(pool, 0)
                        .flatMap(slice -> Trees.number(slice.tree(), "spec", "pool", "generation"))
                        .orElse(0L)
                + 1;
        for (int i = 0; i < parts.size(); i++) {
            JsonObject spec = Trees.of(
                    "driver",
                    pool.driver,
                    "pool",
                    Trees.of("name", pool.name, "generation", generation, "resourceSliceCount", parts.size()));
            pool.nodes.asMap().forEach((member, value) -> spec.add(member, value.deepCopy()));
            parts.get(i).asMap().forEach(spec::add);
            write(pool, i, spec);
        }
        for (int i = parts.size(); find(pool, i).isPresent(); i++) {
            registry.deleteFound(
                    ResourceTable.RESOURCE_SLICES, find(pool, i).get().key());
        }
    }

    private void write(Pool pool, int number, JsonObject spec) {
        Optional<StoredObject> present = find(pool, number);
        if (present.isPresent()) {
            registry.edit(ResourceTable.RESOURCE_SLICES, present.get().key(), tree -> {
                tree.add("spec", spec);
                Registry.bumpGeneration(tree);
            });
            return;
        }
        JsonObject metadata = Trees.of("name", pool.sliceName(number));
        registry.find(ResourceTable.NODES, "", Trees.text(pool.nodes, "nodeName"))
                .ifPresent(node -> metadata.add("ownerReferences", Owner.references(ResourceTable.NODES, node)));
        registry.create(ResourceTable.RESOURCE_SLICES, "", Trees.of("metadata", metadata, "spec", spec), false);
    }

    boolean isThere(Pool pool) {
        for (int i = 0; i < pool.parts().size(); i++) {
            if (find(pool, i).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private Optional<StoredObject> find(Pool pool, int number) {
        return registry.find(ResourceTable.RESOURCE_SLICES, "", pool.sliceName(number));
    }
}
