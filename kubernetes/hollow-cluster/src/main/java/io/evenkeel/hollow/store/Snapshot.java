package io.evenkeel.hollow.store;

import java.util.List;

/** The objects of a table as they were at a version, in etcd's order. */
public record Snapshot(long version, List<StoredObject> objects) {}
