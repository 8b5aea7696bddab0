package io.evenkeel.hollow.store;

import java.util.List;

/** The changes of a table after some version up to and including {@code version}. */
public record Batch(List<Change> changes, long version) {}
