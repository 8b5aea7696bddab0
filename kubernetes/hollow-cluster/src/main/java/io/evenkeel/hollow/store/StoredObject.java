package io.evenkeel.hollow.store;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One version of one object. Its tree, without kind and apiVersion, is never changed: who wants to change it takes a
 * {@link #copy()}. The bytes it was encoded to are kept with it, so that a version is encoded once, not once a watcher.
 */
public final class StoredObject {

    private final ObjectKey key;
    private final long version;
    private final JsonObject tree;
    private volatile @Nullable Encoded encoded;

    StoredObject(ObjectKey key, long version, JsonObject tree) {
        this.key = key;
        this.version = version;
        this.tree = tree;
    }

    /** The object that a write would have stored, had it not been a dry run. */
    public static StoredObject unsaved(ObjectKey key, JsonObject tree) {
        return new StoredObject(key, 0, tree);
    }

    public ObjectKey key() {
        return key;
    }

    public String namespace() {
        return key.namespace();
    }

    public String name() {
        return key.name();
    }

    public String uid() {
        return Trees.text(tree, "metadata", "uid");
    }

    public boolean isGoing() {
        return Trees.at(tree, "metadata", "deletionTimestamp").isPresent();
    }

    public long version() {
        return version;
    }

    /** The tree itself; not to be changed. */
    public JsonObject tree() {
        return tree;
    }

    public JsonObject copy() {
        return tree.deepCopy();
    }

    /** The bytes for a form; two threads may both work them out, and get the same. */
    public byte[] encoded(Object form, Supplier<byte[]> encode) {
        for (Encoded each = encoded; each != null; each = each.next) {
            if (each.form.equals(form)) {
                return each.bytes;
            }
        }
        byte[] bytes = encode.get();
        encoded = new Encoded(form, bytes, encoded);
        return bytes;
    }

    /** Gives the content a later version: watchers are told this of an object that leaves. */
    StoredObject at(long laterVersion) {
        JsonObject later = tree.deepCopy();
        later.getAsJsonObject("metadata").addProperty("resourceVersion", Long.toString(laterVersion));
        return new StoredObject(key, laterVersion, later);
    }

    @Override
    public String toString() {
        return key.table() + "/" + key.path() + "@" + version;
    }

    private static final class Encoded {
        private final Object form;
        private final byte[] bytes;
        private final @Nullable Encoded next;

        private Encoded(Object form, byte[] bytes, @Nullable Encoded next) {
            this.form = form;
            this.bytes = bytes;
            this.next = next;
        }
    }
}
