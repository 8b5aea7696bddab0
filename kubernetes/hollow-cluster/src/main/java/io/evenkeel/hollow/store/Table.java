package io.evenkeel.hollow.store;

import io.evenkeel.hollow.store.Store.CompactedException;
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

    /**
     * The latest changes of a table in the order of their versions: a ring of at most {@code capacity} changes. A watcher that has
     * seen all changes up to {@link #floor()} or later can be told what it missed. Appending is O(1); finding a version is a
     * binary search.
     */
    static final class History {

        private final int capacity;
        private Change[] ring = new Change[64];
        private int first;
        private int size;
        private long floor;

        History(int capacity, long floor) {
            this.capacity = capacity;
            this.floor = floor;
        }

        void append(Change change) {
            if (size == capacity) {
                floor = get(0).version();
                first = (first + 1) % ring.length;
                size--;
            } else if (size == ring.length) {
                grow();
            }
            ring[(first + size) % ring.length] = change;
            size++;
        }

        /** Forgets all changes; the next ones come after {@code version}. */
        void compact(long version) {
            ring = new Change[64];
            first = 0;
            size = 0;
            floor = version;
        }

        long floor() {
            return floor;
        }

        List<Change> after(long version) throws CompactedException {
            if (version < floor) {
                throw new CompactedException(version, floor);
            }
            int from = firstAfter(version);
            List<Change> changes = new ArrayList<>(size - from);
            for (int i = from; i < size; i++) {
                changes.add(get(i));
            }
            return changes;
        }

        private int firstAfter(long version) {
            int low = 0;
            int high = size;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (get(middle).version() > version) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            return low;
        }

        private Change get(int index) {
            return ring[(first + index) % ring.length];
        }

        private void grow() {
            Change[] larger = new Change[Math.min(capacity, ring.length * 2)];
            for (int i = 0; i < size; i++) {
                larger[i] = get(i);
            }
            ring = larger;
            first = 0;
        }
    }
}
