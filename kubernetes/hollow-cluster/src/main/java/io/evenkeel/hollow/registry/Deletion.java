package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Registry.Deleted;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.Store;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.time.Instant;
import java.util.Optional;

/**
 * Deletes objects. A pod on a node is only marked, and goes when its node's agent deletes it with a grace period of zero;
 * an object with finalizers is only marked, and goes with the last of them. A namespace takes along what is in it.
 */
record Deletion(Store store, Times times) {

    /** Empty if another write has come between. */
    Optional<Deleted> attempt(ResourceType type, StoredObject current, DeleteOptions options) {
        checkPreconditions(type, current, options);
        if (options.dryRun()) {
            return Optional.of(new Deleted(current, true));
        }
        return switch (type.storage()) {
            case "pods" -> deletePod(current, options);
            case "namespaces" -> deleteNamespace(current);
            default -> deletePlain(current);
        };
    }

    private Optional<Deleted> deletePod(StoredObject pod, DeleteOptions options) {
        JsonObject metadata = pod.tree().getAsJsonObject("metadata");
        long grace = gracePeriod(pod.tree(), options);
        if (metadata.has("deletionTimestamp")) {
            long pending = Trees.number(metadata, "deletionGracePeriodSeconds").orElse(0L);
            if (options.gracePeriodSeconds().isEmpty()
                    || options.gracePeriodSeconds().get() >= pending) {
                boolean waits = pending > 0 || metadata.has("finalizers");
                return waits ? Optional.of(new Deleted(pod, false)) : removed(store.remove(pod));
            }
            Instant end =
                    Instant.parse(Trees.text(metadata, "deletionTimestamp")).plusSeconds(grace - pending);
            return markedAndPerhapsRemoved(pod, Times.format(end), grace, false);
        }
        return markedAndPerhapsRemoved(pod, times.in(grace), grace, true);
    }

    private Optional<Deleted> markedAndPerhapsRemoved(StoredObject pod, String timestamp, long grace, boolean first) {
        Optional<StoredObject> marked = store.replace(pod, marked(pod, timestamp, grace, first));
        if (marked.isEmpty() || grace > 0 || hasFinalizers(pod)) {
            return marked.map(object -> new Deleted(object, false));
        }
        return removed(store.remove(marked.get())).or(() -> goneMeanwhile(marked.get()));
    }

    /** The node's agent may have removed the marked pod first: then it is gone, as the request wanted. */
    private Optional<Deleted> goneMeanwhile(StoredObject pod) {
        boolean isThere = store.get(pod.key())
                .filter(found -> found.uid().equals(pod.uid()))
                .isPresent();
        return isThere ? Optional.empty() : Optional.of(new Deleted(pod, true));
    }

    private static long gracePeriod(JsonObject pod, DeleteOptions options) {
        String phase = Trees.text(pod, "status", "phase");
        if (Trees.text(pod, "spec", "nodeName").isEmpty() || phase.equals("Failed") || phase.equals("Succeeded")) {
            return 0;
        }
        long asked = options.gracePeriodSeconds()
                .or(() -> Trees.number(pod, "spec", "terminationGracePeriodSeconds"))
                .orElse(30L);
        return asked < 0 ? 1 : asked;
    }

    private Optional<Deleted> deletePlain(StoredObject object) {
        if (!hasFinalizers(object)) {
            return removed(store.remove(object));
        }
        if (object.tree().getAsJsonObject("metadata").has("deletionTimestamp")) {
            return Optional.of(new Deleted(object, false));
        }
        return store.replace(object, marked(object, times.now(), 0, true)).map(marked -> new Deleted(marked, false));
    }

    private Optional<Deleted> deleteNamespace(StoredObject namespace) {
        JsonObject terminating = marked(namespace, times.now(), 0, true);
        terminating.getAsJsonObject("metadata").remove("deletionGracePeriodSeconds");
        Trees.ensureObject(terminating, "status").addProperty("phase", "Terminating");
        Optional<StoredObject> marked = store.replace(namespace, terminating);
        marked.ifPresent(object -> {
            for (ResourceType type : ResourceTable.ALL) {
                if (type.namespaced() && type.stored()) {
                    store.list(type.storage(), namespace.name()).objects().forEach(store::remove);
                }
            }
            store.remove(object);
        });
        return marked.map(object -> new Deleted(object, false));
    }

    private static JsonObject marked(StoredObject object, String timestamp, long grace, boolean first) {
        JsonObject tree = object.copy();
        JsonObject metadata = tree.getAsJsonObject("metadata");
        metadata.addProperty("deletionTimestamp", timestamp);
        metadata.addProperty("deletionGracePeriodSeconds", grace);
        if (first) {
            Registry.bumpGeneration(tree);
        }
        return tree;
    }

    private static Optional<Deleted> removed(Optional<StoredObject> object) {
        return object.map(gone -> new Deleted(gone, true));
    }

    private static boolean hasFinalizers(StoredObject object) {
        return !Trees.texts(object.tree(), "metadata", "finalizers").isEmpty();
    }

    private static void checkPreconditions(ResourceType type, StoredObject object, DeleteOptions options) {
        JsonObject tree = object.tree();
        String name = object.name();
        String uid = Trees.text(tree, "metadata", "uid");
        if (!options.uid().isEmpty() && !options.uid().equals(uid)) {
            throw Refusals.conflict(
                    type.group(),
                    type.kind(),
                    name,
                    ("the UID in the precondition (%s) does not match the UID in record (%s). The object might have"
                                    + " been deleted and then recreated")
                            .formatted(options.uid(), uid));
        }
        String version = Trees.text(tree, "metadata", "resourceVersion");
        if (!options.resourceVersion().isEmpty() && !options.resourceVersion().equals(version)) {
            throw Refusals.conflict(
                    type.group(),
                    type.kind(),
                    name,
                    ("the ResourceVersion in the precondition (%s) does not match the ResourceVersion in record (%s)."
                                    + " The object might have been modified")
                            .formatted(options.resourceVersion(), version));
        }
    }
}
