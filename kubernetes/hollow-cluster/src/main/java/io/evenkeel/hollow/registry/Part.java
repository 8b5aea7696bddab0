package io.evenkeel.hollow.registry;

/** The part of an object that a write is about. */
public enum Part {
    OBJECT,
    STATUS
}
