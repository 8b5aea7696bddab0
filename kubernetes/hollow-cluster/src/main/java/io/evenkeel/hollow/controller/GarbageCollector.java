package io.evenkeel.hollow.controller;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.DeleteOptions;
import io.evenkeel.hollow.registry.Deletion;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Deletes what has lost its last owner. It acts when an owner goes; what is created with an owner that never was stays.
 * Owners that are deleted with the finalizer {@code orphan} lose their dependents, those with {@code foregroundDeletion}
 * wait for them.
 */
final class GarbageCollector implements Controller {

    private static final String ORPHAN = "orphan";
    private static final String FOREGROUND = "foregroundDeletion";

    private final Registry registry;
    private final Deletion deletion;
    private final Observed observed;
    private final Set<String> gone = new HashSet<>();

    GarbageCollector(Registry registry, Deletion deletion, Observed observed) {
        this.registry = registry;
        this.deletion = deletion;
        this.observed = observed;
    }

    @Override
    public void concerned(Change change, Consumer<ObjectKey> look) {
        StoredObject object = change.object();
        if (change instanceof Change.Deleted) {
            String uid = uid(object);
            if (!observed.ownedBy(uid).isEmpty()) {
                gone.add(uid);
                observed.ownedBy(uid).forEach(dependent -> look.accept(dependent.key()));
            }
            Owner.uidsOf(object.tree()).forEach(owner -> ownerKey(object, owner).ifPresent(look));
        } else if (PodState.isGoing(object) && waits(object)) {
            look.accept(object.key());
        } else if (Owner.uidsOf(object.tree()).stream().anyMatch(gone::contains)) {
            look.accept(object.key());
        }
    }

    @Override
    public void sync(ObjectKey key) {
        Optional<ResourceType> type = typeOf(key);
        Optional<StoredObject> object = type.flatMap(each -> registry.find(each, key.namespace(), key.name()));
        if (object.isEmpty()) {
            return;
        }
        if (PodState.isGoing(object.get())) {
            finish(type.get(), object.get());
        } else if (!Owner.uidsOf(object.get().tree()).isEmpty()
                && gone.containsAll(Owner.uidsOf(object.get().tree()))) {
            deletion.delete(type.get(), key.namespace(), key.name(), DeleteOptions.DEFAULT);
        }
    }

    private void finish(ResourceType type, StoredObject owner) {
        String uid = uid(owner);
        if (has(owner, ORPHAN)) {
            observed.ownedBy(uid).forEach(dependent -> release(dependent, uid));
            removeFinalizer(type, owner, ORPHAN);
        } else if (has(owner, FOREGROUND)) {
            observed.ownedBy(uid).stream()
                    .filter(each -> !PodState.isGoing(each))
                    .forEach(this::delete);
            if (observed.ownedBy(uid).isEmpty()) {
                removeFinalizer(type, owner, FOREGROUND);
            }
        }
    }

    private void delete(StoredObject dependent) {
        ObjectKey key = dependent.key();
        typeOf(key)
                .filter(type -> registry.find(type, key.namespace(), key.name()).isPresent())
                .ifPresent(type -> deletion.delete(type, key.namespace(), key.name(), DeleteOptions.DEFAULT));
    }

    private void release(StoredObject dependent, String uid) {
        ObjectKey key = dependent.key();
        typeOf(key)
                .filter(type -> registry.find(type, key.namespace(), key.name()).isPresent())
                .ifPresent(type -> registry.change(type, key.namespace(), key.name(), false, tree -> {
                    without(
                            tree.getAsJsonObject("metadata"),
                            "ownerReferences",
                            reference -> Trees.text(reference.getAsJsonObject(), "uid")
                                    .equals(uid));
                    return tree;
                }));
    }

    private void removeFinalizer(ResourceType type, StoredObject owner, String finalizer) {
        registry.change(type, owner.key().namespace(), owner.key().name(), false, tree -> {
            without(
                    tree.getAsJsonObject("metadata"),
                    "finalizers",
                    each -> each.getAsString().equals(finalizer));
            return tree;
        });
    }

    private static void without(
            JsonObject metadata, String name, java.util.function.Predicate<com.google.gson.JsonElement> unwanted) {
        JsonArray kept = new JsonArray();
        Trees.array(metadata, name)
                .ifPresent(all -> all.forEach(each -> {
                    if (!unwanted.test(each)) {
                        kept.add(each);
                    }
                }));
        metadata.remove(name);
        if (!kept.isEmpty()) {
            metadata.add(name, kept);
        }
    }

    /** Where the owner of a dependent that went is, if it waits for its dependents. */
    private Optional<ObjectKey> ownerKey(StoredObject dependent, String uid) {
        return Owner.controllerOf(dependent.tree())
                .filter(owner -> owner.uid().equals(uid))
                .flatMap(owner -> ResourceTable.ALL.stream()
                        .filter(type -> type.stored() && type.kind().equals(owner.kind()))
                        .findFirst()
                        .map(type ->
                                new ObjectKey(type.storage(), dependent.key().namespace(), owner.name())));
    }

    private static Optional<ResourceType> typeOf(ObjectKey key) {
        return ResourceTable.ALL.stream()
                .filter(type -> type.storage().equals(key.table()))
                .findFirst();
    }

    private static boolean waits(StoredObject object) {
        return has(object, ORPHAN) || has(object, FOREGROUND);
    }

    private static boolean has(StoredObject object, String finalizer) {
        return Trees.texts(object.tree(), "metadata", "finalizers").contains(finalizer);
    }

    private static String uid(StoredObject object) {
        return Trees.text(object.tree(), "metadata", "uid");
    }
}
