package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.hollow.resource.Patch;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.Store;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Objects by resource, namespace and name, read and written by the rules of an API server. */
public final class Registry {

    private final Store store;
    private final Strategies strategies;
    private final Times times;
    private final Creation creation;
    private final Deletion deletion;

    /**
     * A registry of what the store has.
     *
     * @param serviceAccountTokens whether pods get a token volume of random name
     * @param uids gives each object created one of its own
     */
    public Registry(Store store, InstantSource clock, boolean serviceAccountTokens, Supplier<UUID> uids) {
        this.store = store;
        this.times = new Times(clock);
        PodStrategy pods = new PodStrategy(this::priorityClasses, serviceAccountTokens, times::now);
        this.strategies = new Strategies(
                pods, name -> find(ResourceTable.STORAGE_CLASSES, "", name).map(StoredObject::tree));
        this.creation = new Creation(store, strategies, times, uids);
        this.deletion = new Deletion(store, times);
    }

    private List<JsonObject> priorityClasses() {
        return store.list(ResourceTable.PRIORITY_CLASSES.storage(), "").objects().stream()
                .map(StoredObject::tree)
                .toList();
    }

    public Store store() {
        return store;
    }

    public Times times() {
        return times;
    }

    /** Whether a deletion is answered with the object instead of a Status. */
    public boolean returnsDeleted(ResourceType type) {
        return strategies.of(type).returnsDeleted();
    }

    public Optional<StoredObject> find(ResourceType type, String namespace, String name) {
        return store.get(new ObjectKey(type.storage(), type.namespaced() ? namespace : "", name));
    }

    public Optional<StoredObject> find(ResourceType type, ObjectKey key) {
        return find(type, key.namespace(), key.name());
    }

    public StoredObject get(ResourceType type, String namespace, String name) {
        return find(type, namespace, name).orElseThrow(() -> Refusals.notFound(type, name));
    }

    /** Creates what was sent; the tree belongs to the registry from then on. */
    public StoredObject create(ResourceType type, String namespace, JsonObject sent, boolean dryRun) {
        return creation.create(type, namespace, sent, dryRun);
    }

    /** Puts what was sent in the place of an object, or of its status. */
    public Written update(
            ResourceType type, String namespace, String name, JsonObject sent, Part part, boolean dryRun) {
        Strategy strategy = strategies.of(type);
        if (strategy.allowsCreateOnUpdate() && find(type, namespace, name).isEmpty()) {
            return new Written(create(type, namespace, sent, dryRun), true);
        }
        JsonObject metadata = Trees.ensureObject(sent, "metadata");
        String uid = Trees.text(metadata, "uid");
        boolean noVersion = Trees.text(metadata, "resourceVersion").isEmpty();
        Update update = new Update(type, strategy, part);
        StoredObject updated = change(type, namespace, name, dryRun, current -> {
            String actual = Trees.text(current, "metadata", "uid");
            if (!uid.isEmpty() && !uid.equals(actual)) {
                throw Refusals.otherUid(type, namespace, name, uid, actual);
            }
            if (noVersion && !strategy.allowsUnconditionalUpdate()) {
                FieldErrors errors = new FieldErrors();
                errors.invalidLiteral("metadata.resourceVersion", "0x0", "must be specified for an update");
                errors.refuse(type.group(), type.kind(), name);
            }
            return update.next(current, sent.deepCopy());
        });
        return new Written(updated, false);
    }

    public StoredObject patch(
            ResourceType type, String namespace, String name, Patch patch, Part part, boolean dryRun) {
        Update update = new Update(type, strategies.of(type), part);
        return change(type, namespace, name, dryRun, current -> {
            JsonObject served = EventConversion.toServed(type, current).deepCopy();
            return update.next(current, patch.applyTo(type.typed(served)));
        });
    }

    /** Changes an object, however often others come between; a change that changes nothing writes nothing. */
    public StoredObject change(
            ResourceType type, String namespace, String name, boolean dryRun, UnaryOperator<JsonObject> change) {
        while (true) {
            StoredObject current = get(type, namespace, name);
            JsonObject next = change.apply(current.copy());
            if (next.equals(current.tree())) {
                return current;
            }
            if (dryRun) {
                return StoredObject.unsaved(current.key(), next);
            }
            boolean ends = isFinished(StoredObject.unsaved(current.key(), next));
            Optional<StoredObject> written = ends ? store.remove(current) : store.replace(current, next);
            if (written.isPresent()) {
                return written.get();
            }
        }
    }

    /** Changes an object by an edit of its tree. */
    public StoredObject edit(ResourceType type, ObjectKey key, Consumer<JsonObject> edit) {
        return change(type, key.namespace(), key.name(), false, tree -> {
            edit.accept(tree);
            return tree;
        });
    }

    /** Puts a pod on a node, as a Binding says. */
    public StoredObject bind(String namespace, String pod, JsonObject binding, boolean dryRun) {
        return Binding.bind(this, namespace, pod, binding, dryRun);
    }

    public StoredObject bind(String namespace, String pod, String node) {
        return bind(namespace, pod, Trees.of("target", Trees.of("name", node)), false);
    }

    /** Deletes or marks an object. */
    public Deleted delete(ResourceType type, String namespace, String name, DeleteOptions options) {
        while (true) {
            Optional<Deleted> deleted = deletion.attempt(type, get(type, namespace, name), options);
            if (deleted.isPresent()) {
                return deleted.get();
            }
        }
    }

    /** Deletes as a user does; answers whether it was there. */
    public boolean deleteFound(ResourceType type, ObjectKey key) {
        boolean found = find(type, key).isPresent();
        if (found) {
            delete(type, key.namespace(), key.name(), DeleteOptions.DEFAULT);
        }
        return found;
    }

    /** Counts a change of what metadata.generation counts. */
    public static void bumpGeneration(JsonObject tree) {
        Trees.number(tree, "metadata", "generation")
                .ifPresent(generation -> tree.getAsJsonObject("metadata").addProperty("generation", generation + 1));
    }

    /** Whether an object only waited for its last finalizer to be removed: watches see it go, and not first without it. */
    private static boolean isFinished(StoredObject object) {
        JsonObject metadata = object.tree().getAsJsonObject("metadata");
        return metadata.has("deletionTimestamp")
                && !metadata.has("finalizers")
                && Trees.number(metadata, "deletionGracePeriodSeconds").orElse(0L) == 0
                && !object.key().table().equals("namespaces");
    }

    /** The object that was deleted or marked, and whether it is gone. */
    public record Deleted(StoredObject object, boolean gone) {}

    /** A write's result, and whether it created the object. */
    public record Written(StoredObject object, boolean created) {}

    /** The part of an object that a write is about. */
    public enum Part {
        OBJECT,
        STATUS
    }
}
