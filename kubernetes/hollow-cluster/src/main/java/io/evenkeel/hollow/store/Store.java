package io.evenkeel.hollow.store;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Versioned objects, as etcd keeps them: one counter gives every write its version; a write names the object it replaces
 * and fails if that is no longer there. Each table remembers its latest changes, so that watchers resume and lists page
 * over a consistent past.
 *
 * <p>All methods are safe for concurrent use; one lock guards everything and is held for a map update, or for copying
 * references when listing. Watchers pull: a slow one costs writers nothing, and falls off the end of the history.
 *
 * <p>A tree handed in belongs to the store from then on.
 */
public final class Store {

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Table> tables = new TreeMap<>();
    private final List<Consumer<Change>> observers = new ArrayList<>();
    private final int historyCapacity;
    private long version;
    private long compacted;

    public Store(int historyCapacity) {
        this.historyCapacity = historyCapacity;
    }

    /**
     * Tells a follower of every change from now on, after all that is there as added. It is told under the store's lock:
     * it may take note, but not call back.
     */
    public void observe(Consumer<Change> observer) {
        locked(() -> {
            tables.values()
                    .forEach(table -> table.list("").forEach(object -> observer.accept(new Change.Added(object))));
            observers.add(observer);
        });
    }

    /** Adds an object; empty if one of that name is there. */
    public Optional<StoredObject> create(ObjectKey key, JsonObject tree) {
        return locked(() -> {
            Table table = table(key.table());
            if (table.get(key) != null) {
                return Optional.empty();
            }
            StoredObject created = next(key, tree);
            apply(table, new Change.Added(created));
            return Optional.of(created);
        });
    }

    /** Puts in an object as another store had it, in the place of any of its name: at its version, where that is still to come here. */
    public StoredObject restore(ObjectKey key, JsonObject tree, long itsVersion) {
        return locked(() -> {
            Table table = table(key.table());
            @Nullable StoredObject before = table.get(key);
            version = Math.max(version, itsVersion - 1);
            StoredObject restored = next(key, tree);
            apply(table, before == null ? new Change.Added(restored) : new Change.Modified(before, restored));
            return restored;
        });
    }

    /** Puts a tree in the place of an object; empty if that is no longer what is there. */
    public Optional<StoredObject> replace(StoredObject current, JsonObject tree) {
        return locked(() -> {
            Table table = table(current.key().table());
            if (table.get(current.key()) != current) {
                return Optional.empty();
            }
            StoredObject replaced = next(current.key(), tree);
            apply(table, new Change.Modified(current, replaced));
            return Optional.of(replaced);
        });
    }

    /** Removes an object and gives its last state at the version of the removal; empty if it is no longer there. */
    public Optional<StoredObject> remove(StoredObject current) {
        return locked(() -> {
            Table table = table(current.key().table());
            if (table.get(current.key()) != current) {
                return Optional.empty();
            }
            StoredObject removed = current.at(++version);
            apply(table, new Change.Deleted(current, removed));
            return Optional.of(removed);
        });
    }

    public Optional<StoredObject> get(ObjectKey key) {
        return locked(() -> Optional.ofNullable(table(key.table()).get(key)));
    }

    /** Lists the objects of now, in a namespace or, if that is empty, in all. */
    public Snapshot list(String table, String namespace) {
        return locked(() -> new Snapshot(version, table(table).list(namespace)));
    }

    /** Lists the objects of a version, which must not lie in the future. */
    public Snapshot listAt(long past, String table, String namespace) throws CompactedException {
        lock.lock();
        try {
            return new Snapshot(past, table(table).listAt(past, namespace));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until a table has changed after a version, the time is up, or {@code cancelled} says so after a {@link #wake()}.
     * The batch is empty in the latter cases; its version then says how far the watcher has seen nonetheless.
     */
    public Batch changesAfter(long seen, String table, long nanos, BooleanSupplier cancelled)
            throws CompactedException, InterruptedException {
        lock.lock();
        try {
            Table watched = table(table);
            long left = nanos;
            List<Change> changes = watched.history().after(seen);
            while (changes.isEmpty() && left > 0 && !cancelled.getAsBoolean()) {
                left = watched.changed().awaitNanos(left);
                changes = watched.history().after(seen);
            }
            return new Batch(changes, Math.max(seen, version));
        } finally {
            lock.unlock();
        }
    }

    /** Makes all that wait in {@link #changesAfter} look at whether they are cancelled. */
    public void wake() {
        locked(() -> {
            tables.values().forEach(table -> table.changed().signalAll());
        });
    }

    /** The version of the latest write. */
    public long version() {
        return locked(() -> version);
    }

    /** The version from which on a table's changes are known. */
    public long oldestVersion(String table) {
        return locked(() -> table(table).history().floor());
    }

    /** Forgets all history up to now. */
    public void compact() {
        locked(() -> {
            compacted = version;
            tables.values().forEach(table -> table.history().compact(version));
        });
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    private void locked(Runnable work) {
        locked(() -> {
            work.run();
            return true;
        });
    }

    private void apply(Table table, Change change) {
        table.apply(change);
        observers.forEach(observer -> observer.accept(change));
    }

    private StoredObject next(ObjectKey key, JsonObject tree) {
        version++;
        tree.getAsJsonObject("metadata").addProperty("resourceVersion", Long.toString(version));
        return new StoredObject(key, version, tree);
    }

    private Table table(String name) {
        @Nullable Table table = tables.get(name);
        if (table == null) {
            table = new Table(new Table.History(historyCapacity, compacted), lock.newCondition());
            tables.put(name, table);
        }
        return table;
    }

    /** The objects of a table as they were at a version, in etcd's order. */
    public record Snapshot(long version, List<StoredObject> objects) {}

    /** The history does not reach back to the version asked for. */
    public static final class CompactedException extends Exception {

        private final long asked;
        private final long oldest;

        CompactedException(long asked, long oldest) {
            super("version " + asked + " is compacted, the oldest is " + oldest, null, false, false);
            this.asked = asked;
            this.oldest = oldest;
        }

        public long asked() {
            return asked;
        }

        public long oldest() {
            return oldest;
        }
    }

    /** The changes of a table after some version up to and including {@code version}. */
    public record Batch(List<Change> changes, long version) {}

    /** The objects of one resource, and what lately happened to them. Guarded by the store's lock. */
    private static final class Table {

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
}
