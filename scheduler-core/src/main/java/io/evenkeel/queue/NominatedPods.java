package io.evenkeel.queue;

import io.evenkeel.model.Pod;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The pods that wait and whose status names the node where they may fit soon, by that node. Others that are not more
 * important leave them room there: else whoever comes first would take the place that was cleared for them. Mostly there are
 * none.
 */
public final class NominatedPods {
    private final Map<String, Map<QueueEntry, Pod>> byNode = new LinkedHashMap<>();
    private final Map<QueueEntry, String> nodes = new HashMap<>();

    private NominatedPods() {}

    /** None yet, in the hands of the queue that they wait in. */
    public static Writer create() {
        return new NominatedPods().new Writer();
    }

    /** None, ever. */
    public static NominatedPods none() {
        return new NominatedPods();
    }

    /** The names of the nodes; they need not exist. */
    public Set<String> nodes() {
        return byNode.keySet();
    }

    /** Those nominated to the node that have at least the priority of this pod, but not itself. */
    public List<Pod> aheadOf(Pod pod, String node) {
        return byNode.getOrDefault(node, Map.of()).values().stream()
                .filter(other -> other.spec().priority() >= pod.spec().priority())
                .filter(other -> !other.key().equals(pod.key()))
                .toList();
    }

    /** Those nominated to the node. */
    List<QueueEntry> on(String node) {
        return List.copyOf(byNode.getOrDefault(node, Map.of()).keySet());
    }

    /** Those nominated to the node that have a lower priority than this pod. */
    List<QueueEntry> behind(Pod pod, String node) {
        return byNode.getOrDefault(node, Map.of()).keySet().stream()
                .filter(other -> other.pod().spec().priority() < pod.spec().priority())
                .toList();
    }

    /** What changes them: made with them, and not to be had from them. */
    public final class Writer {
        private Writer() {}

        public NominatedPods pods() {
            return NominatedPods.this;
        }

        /** The pod waits, as it is now. */
        void put(QueueEntry entry) {
            remove(entry);
            String node = entry.nominatedNode();
            if (!node.isEmpty()) {
                nodes.put(entry, node);
                byNode.computeIfAbsent(node, _ -> new LinkedHashMap<>()).put(entry, entry.pod());
            }
        }

        /** The node where room is left for the pod; empty for none. */
        String nodeOf(QueueEntry entry) {
            return nodes.getOrDefault(entry, "");
        }

        /** The pod waits no more. */
        void remove(QueueEntry entry) {
            String node = nodes.remove(entry);
            if (node != null) {
                Map<QueueEntry, Pod> others = byNode.getOrDefault(node, new HashMap<>());
                others.remove(entry);
                if (others.isEmpty()) {
                    byNode.remove(node);
                }
            }
        }
    }
}
