package io.evenkeel.hollow.registry;

/** Which part of an object a write is about. */
public enum Part {
    OBJECT,
    STATUS
}
