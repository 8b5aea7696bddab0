package io.evenkeel.hollow.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** The objects of one resource, and what lately happened to them. Guarded by the store's lock. */
final class Table {

    private final NavigableMap<String, StoredObject> objects = new TreeMap<>();
    private final History history;
    private final Condition changed;

    Table(History history, Condition changed) {
        this.history = history;
        this.changed = changed;
    }

    @Nullable
    StoredObject get(ObjectKey key) {
        return objects.get(key.path());
    }

    void apply(Change change) {
        StoredObject object = change.object();
        if (change instanceof Change.Deleted) {
            objects.remove(object.key().path());
        } else {
            objects.put(object.key().path(), object);
        }
        history.append(change);
        changed.signalAll();
    }

    List<StoredObject> list(String namespace) {
        return new ArrayList<>(within(objects, namespace));
    }

    /** The list of the past: the present one with the changes since taken back, latest first. */
    List<StoredObject> listAt(long version, String namespace) throws CompactedException {
        NavigableMap<String, StoredObject> past = new TreeMap<>(objects);
        for (Change change : history.after(version).reversed()) {
            String path = change.object().key().path();
            switch (change) {
                case Change.Added _ -> past.remove(path);
                case Change.Modified modified -> past.put(path, modified.before());
                case Change.Deleted deleted -> past.put(path, deleted.before());
            }
        }
        return new ArrayList<>(within(past, namespace));
    }

    History history() {
        return history;
    }

    Condition changed() {
        return changed;
    }

    private static Collection<StoredObject> within(NavigableMap<String, StoredObject> objects, String namespace) {
        return namespace.isEmpty()
                ? objects.values()
                : objects.subMap(namespace + "/", namespace + "0").values(); // '0' comes next after '/'
    }
}
