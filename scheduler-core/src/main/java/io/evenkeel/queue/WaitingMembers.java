package io.evenkeel.queue;

import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.model.Pod;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The pods of the queue that are placed together with others, by their groups and in the order in which they came. */
public final class WaitingMembers {
    private final Map<GroupKey, Map<String, Pod>> byGroup = new HashMap<>();

    private WaitingMembers() {}

    /** None yet, in the hands of the queue that they wait in. */
    public static Writer create() {
        return new WaitingMembers().new Writer();
    }

    /** Returns the members that wait or are on their way to their nodes. */
    public Collection<Pod> of(GroupKey group) {
        return byGroup.getOrDefault(group, Map.of()).values();
    }

    /** Changes them; made with them, and not to be had from them. */
    public final class Writer {
        private Writer() {}

        public WaitingMembers members() {
            return WaitingMembers.this;
        }

        /** The pod waits, or is another by news of it. */
        void put(GroupKey group, Pod pod) {
            byGroup.computeIfAbsent(group, _ -> new LinkedHashMap<>()).put(pod.key(), pod);
        }

        void remove(GroupKey group, String podKey) {
            byGroup.computeIfPresent(group, (_, pods) -> {
                pods.remove(podKey);
                return pods.isEmpty() ? null : pods;
            });
        }
    }
}
