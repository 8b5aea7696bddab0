package io.evenkeel.plugins.preemption;

import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The pods of each node in the order in which the reference has them: who comes is the last, the last takes the place of who
 * goes, and who is heard of again goes and comes.
 */
final class ReferencePods {
    private final Map<String, List<String>> byNode = new HashMap<>();

    void put(Pod pod) {
        remove(pod);
        byNode.computeIfAbsent(pod.spec().nodeName(), _ -> new ArrayList<>()).add(pod.key());
    }

    void remove(Pod pod) {
        for (List<String> pods : byNode.values()) {
            int place = pods.indexOf(pod.key());
            if (place >= 0) {
                pods.set(place, pods.getLast());
                pods.removeLast();
            }
        }
    }

    List<String> on(String node) {
        return byNode.getOrDefault(node, List.of());
    }
}
