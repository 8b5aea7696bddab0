package io.evenkeel.hollow.store;

/** The types of watch events. */
public enum EventType {
    ADDED,
    MODIFIED,
    DELETED,
    BOOKMARK,
    ERROR
}
