package io.evenkeel.queue;

import io.evenkeel.framework.GroupKey;
import java.util.HashMap;
import java.util.Map;

/** The groups with some pods held by a gate: mostly none, so that no search is made where another pod comes. */
final class GatedGroups {
    private final Map<QueueEntry, GroupKey> groups = new HashMap<>();
    private final Map<GroupKey, Integer> counts = new HashMap<>();

    /** A gate holds the pod, as it is now. */
    void put(QueueEntry entry) {
        remove(entry);
        entry.group().ifPresent(group -> {
            groups.put(entry, group);
            counts.merge(group, 1, Integer::sum);
        });
    }

    /** No gate holds it any more. */
    void remove(QueueEntry entry) {
        GroupKey group = groups.remove(entry);
        if (group != null) {
            counts.computeIfPresent(group, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    /** Whether a gate holds any of the group. */
    boolean has(GroupKey group) {
        return counts.containsKey(group);
    }
}
