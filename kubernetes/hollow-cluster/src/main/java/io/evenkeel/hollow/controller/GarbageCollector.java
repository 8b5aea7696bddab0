package io.evenkeel.hollow.controller;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.registry.Registry.DeleteOptions;
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
import java.util.function.Predicate;

/**
 * Deletes what has lost its last owner. It acts when an owner goes; what is created with an owner that never was stays.
 * Owners that are deleted with the finalizer {@code orphan} lose their dependents, those with {@code foregroundDeletion}
 * wait for them.
 */
final class GarbageCollector implements Controller {

    private static final String ORPHAN = "orphan";
    private static final String FOREGROUND = "foregroundDeletion";

    private final Registry registry;
    private final Observed observed;
    private final Set<String> gone = new HashSet<>();

    GarbageCollector(Registry registry, Observed observed) {
        this.registry = registry;
        this.observed = observed;
    }

    @Override
    public void forEachConcerned(Change change, Consumer<ObjectKey> look) {
        StoredObject object = change.object();
        if (change instanceof Change.Deleted) {
            String uid = object.uid();
            if (!observed.ownedBy(uid).isEmpty()) {
                gone.add(uid);
                observed.ownedBy(uid).forEach(dependent -> look.accept(dependent.key()));
            }
            Owner.uidsOf(object.tree()).forEach(owner -> ownerKey(object, owner).ifPresent(look));
        } else if (object.isGoing() && waits(object)) {
            look.accept(object.key());
        } else if (Owner.uidsOf(object.tree()).stream().anyMatch(gone::contains)) {
            look.accept(object.key());
        }
    }

    @Override
    public void sync(ObjectKey key) {
        Optional<ResourceType> type = typeOf(key);
        Optional<StoredObject> object = type.flatMap(each -> registry.find(each, key));
        if (object.isEmpty()) {
            return;
        }
        if (object.get().isGoing()) {
            finish(type.get(), object.get());
        } else if (!Owner.uidsOf(object.get().tree()).isEmpty()
                && gone.containsAll(Owner.uidsOf(object.get().tree()))) {
            registry.delete(type.get(), key.namespace(), key.name(), DeleteOptions.DEFAULT);
        }
    }

    private void finish(ResourceType type, StoredObject owner) {
        String uid = owner.uid();
        if (has(owner, ORPHAN)) {
            observed.ownedBy(uid).forEach(dependent -> release(dependent, uid));
            removeFinalizer(type, owner, ORPHAN);
        } else if (has(owner, FOREGROUND)) {
            observed.ownedBy(uid).stream().filter(each -> !each.isGoing()).forEach(this::delete);
            if (observed.ownedBy(uid).isEmpty()) {
                removeFinalizer(type, owner, FOREGROUND);
            }
        }
    }

    private void delete(StoredObject dependent) {
        typeOf(dependent.key()).ifPresent(type -> registry.deleteFound(type, dependent.key()));
    }

    private void release(StoredObject dependent, String uid) {
        ObjectKey key = dependent.key();
        typeOf(key)
                .filter(type -> registry.find(type, key).isPresent())
                .ifPresent(type -> without(
                        type,
                        key,
                        "ownerReferences",
                        each -> Trees.text(each.getAsJsonObject(), "uid").equals(uid)));
    }

    private void removeFinalizer(ResourceType type, StoredObject owner, String finalizer) {
        without(type, owner.key(), "finalizers", each -> each.getAsString().equals(finalizer));
    }

    private void without(ResourceType type, ObjectKey key, String list, Predicate<JsonElement> unwanted) {
        registry.edit(type, key, tree -> {
            JsonObject metadata = tree.getAsJsonObject("metadata");
            Trees.array(metadata, list).ifPresent(all -> {
                all.asList().removeIf(unwanted);
                if (all.isEmpty()) {
                    metadata.remove(list);
                }
            });
        });
    }

    /** Where the owner of a dependent that went is, if it waits for its dependents. */
    private Optional<ObjectKey> ownerKey(StoredObject dependent, String uid) {
        return Owner.controllerOf(dependent.tree())
                .filter(owner -> owner.uid().equals(uid))
                .flatMap(owner -> ResourceTable.ALL.stream()
                        .filter(type -> type.stored() && type.kind().equals(owner.kind()))
                        .findFirst()
                        .map(type -> new ObjectKey(type.storage(), dependent.namespace(), owner.name())));
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
}
