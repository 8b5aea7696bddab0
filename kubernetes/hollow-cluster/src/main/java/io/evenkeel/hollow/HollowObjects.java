package io.evenkeel.hollow;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.EventConversion;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.registry.Registry.DeleteOptions;
import io.evenkeel.hollow.registry.Registry.Part;
import io.evenkeel.hollow.resource.Patch;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The objects of a cluster as JSON text, read and written by the rules of the server but without HTTP. Objects of the
 * cluster have an empty namespace. Refusals are {@code ApiException}s.
 */
public record HollowObjects(Registry registry) {
    private static final String STRATEGIC = "application/strategic-merge-patch+json";

    /** Creates what the text describes, with its kind, in the namespace it names or in {@code default}. */
    public String create(String json) {
        return create(Trees.parse(json));
    }

    /** Creates an object as {@link #create(String)} does; the tree belongs to the cluster from then on. */
    public String create(JsonObject tree) {
        ResourceType type = typeOf(tree);
        String namespace = Trees.text(tree, "metadata", "namespace");
        return text(type, registry.create(type, namespace.isEmpty() ? "default" : namespace, tree, false));
    }

    /** Throws an IllegalArgumentException if this cluster has no such kind. */
    public static ResourceType typeOf(JsonObject tree) {
        String kind = Trees.text(tree, "kind");
        String apiVersion = Trees.text(tree, "apiVersion");
        return ResourceTable.ofKind(apiVersion, kind)
                .orElseThrow(() -> new IllegalArgumentException(unknown(apiVersion, kind)));
    }

    private static String unknown(String apiVersion, String kind) {
        return kind.isEmpty() || apiVersion.isEmpty()
                ? "an object needs a kind and an apiVersion, got '%s' and '%s'".formatted(kind, apiVersion)
                : "kind '%s' of apiVersion '%s' is unknown to this cluster".formatted(kind, apiVersion);
    }

    public Optional<String> get(ResourceType type, String namespace, String name) {
        return registry.find(type, namespace, name).map(object -> text(type, object));
    }

    /** All objects in a namespace, or in all if it is empty. */
    public List<String> list(ResourceType type, String namespace) {
        return registry.store().list(type.storage(), namespace).objects().stream()
                .map(object -> text(type, object))
                .toList();
    }

    /** Applies a strategic merge patch to an object. */
    public String patch(ResourceType type, String namespace, String name, String patch) {
        return patch(type, namespace, name, patch, Part.OBJECT);
    }

    /** Applies a strategic merge patch to an object's status. */
    public String patchStatus(ResourceType type, String namespace, String name, String patch) {
        return patch(type, namespace, name, patch, Part.STATUS);
    }

    public void bind(String namespace, String pod, String node) {
        registry.bind(namespace, pod, node);
    }

    /** Deletes as a user does: a pod on a node is only marked. */
    public void delete(ResourceType type, String namespace, String name) {
        registry.delete(type, namespace, name, DeleteOptions.DEFAULT);
    }

    /** Deletes as a node's agent does: with a grace period of zero. */
    public void deleteNow(ResourceType type, String namespace, String name) {
        registry.delete(type, namespace, name, DeleteOptions.NOW);
    }

    /** Counts the pods that are bound, from now on. */
    public BoundPods countBound() {
        BoundPods bound = new BoundPods();
        registry.store().observe(bound::take);
        return bound;
    }

    private String patch(ResourceType type, String namespace, String name, String patch, Part part) {
        return text(type, registry.patch(type, namespace, name, Patch.read(STRATEGIC, patch), part, false));
    }

    private static String text(ResourceType type, StoredObject object) {
        return type.typed(EventConversion.toServed(type, object.tree())).toString();
    }

    /** Bindings, counted: pods that got a node after they were created, whether they are still there or not. */
    public static final class BoundPods {
        private int count;

        private BoundPods() {}

        private void take(Change change) {
            if (change instanceof Change.Modified modified
                    && !isPlaced(modified.before())
                    && isPlaced(modified.object())) {
                countOne();
            }
        }

        private static boolean isPlaced(StoredObject object) {
            return object.key().table().equals(ResourceTable.PODS.storage())
                    && !Trees.text(object.tree(), "spec", "nodeName").isEmpty();
        }

        private synchronized void countOne() {
            count++;
            notifyAll();
        }

        /** Returns how many there are, as soon as there are as many as these, or none was added for so long. */
        public synchronized int await(int enough, Duration patience) throws InterruptedException {
            int before = count;
            long end = System.nanoTime() + patience.toNanos();
            while (count < enough) {
                long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
                if (left <= 0) {
                    break;
                }
                wait(left);
                if (count > before) {
                    before = count;
                    end = System.nanoTime() + patience.toNanos();
                }
            }
            return count;
        }
    }
}
