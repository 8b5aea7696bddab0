package io.evenkeel.world.check;

import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.model.KubernetesObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * That news of a kind come in the order of their versions: a watch that breaks goes on where it was, and tells nothing
 * again that came before. Only a relist may, whose objects come in no order.
 */
final class Versions {
    private final Map<String, Long> newest = new HashMap<>();
    private final Set<String> relisted = new HashSet<>();

    void take(SchedulerEvent event) {
        switch (event) {
            case ClusterEvent.Put(KubernetesObject object) -> came(object);
            case ClusterEvent.Removed(KubernetesObject object) -> came(object);
            case Relist.Began(String kind) -> {
                relisted.add(kind);
                newest.remove(kind);
            }
            case Relist.Ended(String kind, var _) -> relisted.remove(kind);
            default -> {}
        }
    }

    private void came(KubernetesObject object) {
        String kind = object.kindName();
        String version = object.meta().resourceVersion();
        if (relisted.contains(kind) || version.isEmpty()) {
            return;
        }
        long now = Long.parseLong(version);
        long before = newest.getOrDefault(kind, 0L);
        if (now < before) {
            throw new Violation(kind + " " + object.meta().key() + " comes at version " + now + " after " + before);
        }
        newest.put(kind, now);
    }
}
