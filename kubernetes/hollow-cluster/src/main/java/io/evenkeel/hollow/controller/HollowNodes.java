package io.evenkeel.hollow.controller;

import io.evenkeel.hollow.registry.DeleteOptions;
import io.evenkeel.hollow.registry.Deletion;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import java.util.concurrent.atomic.AtomicInteger;

/** The nodes of a hollow cluster. */
public final class HollowNodes {

    private final Registry registry;
    private final Deletion deletion;
    private final AtomicInteger added = new AtomicInteger();

    public HollowNodes(Registry registry, Deletion deletion) {
        this.registry = registry;
        this.deletion = deletion;
    }

    /** Adds a node that is ready at once. */
    public void add(String name, String zone, Capacity capacity) {
        registry.create(
                ResourceTable.NODES,
                "",
                NodeTree.of(
                        name,
                        zone,
                        capacity,
                        added.getAndIncrement(),
                        registry.times().now()),
                false);
    }

    /** Adds {@code node-0}, {@code node-1} and so on, in turn to {@code zone-0}, {@code zone-1} and so on. */
    public void add(int nodes, int zones, Capacity capacity) {
        for (int i = 0; i < nodes; i++) {
            int number = added.get();
            add("node-" + number, "zone-" + number % zones, capacity);
        }
    }

    /** Takes a node away; its pods are lost. */
    public void remove(String name) {
        deletion.delete(ResourceTable.NODES, "", name, DeleteOptions.DEFAULT);
    }
}
