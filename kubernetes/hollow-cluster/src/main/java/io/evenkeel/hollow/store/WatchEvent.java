package io.evenkeel.hollow.store;

/** A change as one watcher sees it. */
public record WatchEvent(EventType type, StoredObject object) {}
