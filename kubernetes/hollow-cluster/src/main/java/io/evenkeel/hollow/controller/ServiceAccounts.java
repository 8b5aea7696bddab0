package io.evenkeel.hollow.controller;

import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.model.json.Trees;
import java.util.function.Consumer;

/** Gives every namespace its ServiceAccount {@code default}. */
record ServiceAccounts(Registry registry) implements Controller {
    @Override
    public void forEachConcerned(Change change, Consumer<ObjectKey> look) {
        if (change instanceof Change.Added && change.object().key().table().equals("namespaces")) {
            look.accept(change.object().key());
        }
    }

    @Override
    public void sync(ObjectKey key) {
        boolean needed = registry.find(ResourceTable.NAMESPACES, "", key.name()).isPresent()
                && registry.find(ResourceTable.SERVICE_ACCOUNTS, key.name(), "default")
                        .isEmpty();
        if (needed) {
            registry.create(
                    ResourceTable.SERVICE_ACCOUNTS,
                    key.name(),
                    Trees.of("metadata", Trees.of("name", "default")),
                    false);
        }
    }
}
