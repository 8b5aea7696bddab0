package io.evenkeel.hollow.controller;

import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import java.util.function.Consumer;

/**
 * Counts what a namespace uses of its ResourceQuotas again when something has gone or changed. When a quota changes, what it may have
 * refused is tried again soon.
 */
record ResourceQuotas(Registry registry, ControlLoop schedule) implements Controller {
    @Override
    public void forEachConcerned(Change change, Consumer<ObjectKey> look) {
        ObjectKey key = change.object().key();
        if (key.table().equals(ResourceTable.RESOURCE_QUOTAS.storage())) {
            look.accept(key);
            schedule.hasten(key.namespace());
        } else if (!key.namespace().isEmpty()) {
            registry.store()
                    .list(ResourceTable.RESOURCE_QUOTAS.storage(), key.namespace())
                    .objects()
                    .forEach(quota -> look.accept(quota.key()));
        }
    }

    @Override
    public void sync(ObjectKey key) {
        if (registry.find(ResourceTable.RESOURCE_QUOTAS, key).isPresent()) {
            registry.recount(key);
        }
    }
}
