package io.evenkeel.hollow.store;

import java.util.Optional;
import java.util.function.Predicate;

/**
 * The change of an object at a version.
 *
 * <p>A watcher that selects objects sees another type of event than what happened: an object that begins to match is ADDED,
 * one that ceases to is DELETED, with its last matching content at the version of the change.
 */
public sealed interface Change {

    StoredObject object();

    default long version() {
        return object().version();
    }

    /** The event for a watcher of the objects that satisfy {@code selected}; empty if there is none for it. */
    Optional<WatchEvent> seenBy(Predicate<StoredObject> selected);

    record Added(StoredObject object) implements Change {
        @Override
        public Optional<WatchEvent> seenBy(Predicate<StoredObject> selected) {
            return selected.test(object) ? Optional.of(new WatchEvent(EventType.ADDED, object)) : Optional.empty();
        }
    }

    record Modified(StoredObject before, StoredObject object) implements Change {
        @Override
        public Optional<WatchEvent> seenBy(Predicate<StoredObject> selected) {
            boolean now = selected.test(object);
            if (!selected.test(before)) {
                return now ? Optional.of(new WatchEvent(EventType.ADDED, object)) : Optional.empty();
            }
            return Optional.of(
                    now
                            ? new WatchEvent(EventType.MODIFIED, object)
                            : new WatchEvent(EventType.DELETED, before.at(version())));
        }
    }

    /** The object is what was there last, at the version of its removal. */
    record Deleted(StoredObject before, StoredObject object) implements Change {
        @Override
        public Optional<WatchEvent> seenBy(Predicate<StoredObject> selected) {
            return selected.test(object) ? Optional.of(new WatchEvent(EventType.DELETED, object)) : Optional.empty();
        }
    }

    /** A change as one watcher sees it. */
    record WatchEvent(EventType type, StoredObject object) {}

    enum EventType {
        ADDED,
        MODIFIED,
        DELETED,
        BOOKMARK,
        ERROR
    }
}
