package io.evenkeel.hollow.controller;

import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * Objects by owner and pods by node, as of the changes that the controllers have been told of. A controller's own writes of
 * an earlier round are always among them, so no pod is made twice. Keeping it costs O(owners) a change.
 */
final class Observed {

    private final Map<String, SequencedMap<ObjectKey, StoredObject>> byOwner = new LinkedHashMap<>();
    private final Map<String, SequencedMap<ObjectKey, StoredObject>> byNode = new LinkedHashMap<>();

    /** The objects that name this UID among their owners, of all resources. */
    List<StoredObject> ownedBy(String uid) {
        return in(byOwner, uid);
    }

    /** The objects of a resource with this UID as their controller. */
    List<StoredObject> controlledBy(String uid, ResourceType type) {
        return ownedBy(uid).stream()
                .filter(object -> object.key().table().equals(type.storage()))
                .filter(object -> Owner.controllerOf(object.tree())
                        .filter(owner -> owner.uid().equals(uid))
                        .isPresent())
                .toList();
    }

    List<StoredObject> podsOn(String node) {
        return in(byNode, node);
    }

    void apply(Change change) {
        switch (change) {
            case Change.Added added -> add(added.object());
            case Change.Modified modified -> {
                if (!sameIndices(modified.before(), modified.object())) {
                    remove(modified.before());
                }
                add(modified.object());
            }
            case Change.Deleted deleted -> remove(deleted.before());
        }
    }

    private static boolean sameIndices(StoredObject before, StoredObject after) {
        return nodeOf(before).equals(nodeOf(after))
                && Owner.uidsOf(before.tree()).equals(Owner.uidsOf(after.tree()));
    }

    private void add(StoredObject object) {
        Owner.uidsOf(object.tree()).forEach(uid -> put(byOwner, uid, object));
        String node = nodeOf(object);
        if (!node.isEmpty()) {
            put(byNode, node, object);
        }
    }

    private void remove(StoredObject object) {
        Owner.uidsOf(object.tree()).forEach(uid -> take(byOwner, uid, object));
        take(byNode, nodeOf(object), object);
    }

    private static String nodeOf(StoredObject object) {
        return object.key().table().equals(ResourceTable.PODS.storage())
                ? Trees.text(object.tree(), "spec", "nodeName")
                : "";
    }

    private static List<StoredObject> in(Map<String, SequencedMap<ObjectKey, StoredObject>> index, String value) {
        return List.copyOf(index.getOrDefault(value, new LinkedHashMap<>()).values());
    }

    private static void put(
            Map<String, SequencedMap<ObjectKey, StoredObject>> index, String value, StoredObject object) {
        index.computeIfAbsent(value, _ -> new LinkedHashMap<>()).put(object.key(), object);
    }

    private static void take(
            Map<String, SequencedMap<ObjectKey, StoredObject>> index, String value, StoredObject object) {
        index.computeIfPresent(value, (_, objects) -> {
            objects.remove(object.key());
            return objects.isEmpty() ? null : objects;
        });
    }
}
