package io.evenkeel.world.life;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.Store;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.world.play.Choices;
import java.util.List;
import java.util.function.Predicate;

/** The objects that there are, for whoever picks one to do something with it. */
final class ClusterObjects {
    private final Store store;
    private final Choices choices;
    private int made;

    ClusterObjects(Store store, Choices choices) {
        this.store = store;
        this.choices = choices;
    }

    /** A number that no name has yet. */
    int number() {
        return made++;
    }

    /** What is done to one of them. */
    interface Deed {
        void on(JsonObject object);
    }

    void somePod(Predicate<JsonObject> which, Deed deed) {
        List<JsonObject> found = pods(which);
        if (!found.isEmpty()) {
            deed.on(choices.from(found));
        }
    }

    void someNode(Deed deed) {
        List<JsonObject> found = all(ResourceTable.NODES);
        if (!found.isEmpty()) {
            deed.on(choices.from(found));
        }
    }

    List<JsonObject> pods(Predicate<JsonObject> which) {
        return all(ResourceTable.PODS).stream().filter(which).toList();
    }

    /** The stored objects themselves: not to be changed, and without kind and apiVersion. */
    List<JsonObject> all(ResourceType type) {
        return store.list(type.storage(), "").objects().stream()
                .map(StoredObject::tree)
                .toList();
    }

    static String name(JsonObject object) {
        return text(object, "metadata", "name");
    }

    static String namespace(JsonObject object) {
        return text(object, "metadata", "namespace");
    }

    static String label(JsonObject object, String key) {
        JsonObject metadata = object.getAsJsonObject("metadata");
        return metadata.has("labels") ? text(metadata, "labels", key) : "";
    }

    static String phase(JsonObject pod) {
        return text(pod, "status", "phase");
    }

    static boolean isPlaced(JsonObject pod) {
        return !text(pod, "spec", "nodeName").isEmpty();
    }

    static String text(JsonObject object, String part, String member) {
        return object.has(part) && object.getAsJsonObject(part).has(member)
                ? object.getAsJsonObject(part).get(member).getAsString()
                : "";
    }
}
