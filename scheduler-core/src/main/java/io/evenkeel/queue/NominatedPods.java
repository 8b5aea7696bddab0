package io.evenkeel.queue;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.config.Difference;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The waiting pods that may fit soon on the node that their status names, by that node. Others that are not more
 * important leave them room there: else the next to come would take the place that was cleared for them. Mostly there are
 * none.
 */
public final class NominatedPods {
    private final boolean gatedToo;
    private final Map<String, Map<QueueEntry, PodInfo>> byNode = new LinkedHashMap<>();
    private final Map<QueueEntry, String> nodes = new HashMap<>();

    /** None yet; a gate may hold some for who knows how long. */
    public NominatedPods(FeatureGates gates) {
        gatedToo = gates.has(Difference.GATED_PODS_KEEP_ROOM);
    }

    /** The names of the nodes; they need not exist. */
    public Set<String> nodes() {
        return byNode.keySet();
    }

    /** Returns the other pods nominated to the node that have at least the priority of this pod. */
    public List<PodInfo> aheadOf(Pod pod, String node) {
        Map<QueueEntry, PodInfo> all = byNode.get(node);
        if (all == null) {
            return List.of();
        }
        List<PodInfo> ahead = new ArrayList<>(all.size());
        for (PodInfo other : all.values()) {
            if (other.pod().spec().priority() >= pod.spec().priority()
                    && !other.pod().key().equals(pod.key())) {
                ahead.add(other);
            }
        }
        return ahead;
    }

    boolean isAnyAhead(Pod pod, String node) {
        return !aheadOf(pod, node).isEmpty();
    }

    /** Whether one of them has at least this priority. */
    boolean isAnyFrom(int priority) {
        return nodes.keySet().stream().anyMatch(entry -> entry.pod().spec().priority() >= priority);
    }

    List<QueueEntry> on(String node) {
        return List.copyOf(byNode.getOrDefault(node, Map.of()).keySet());
    }

    /** Returns the pods nominated to the node that have a lower priority than this pod. */
    List<QueueEntry> behind(Pod pod, String node) {
        return byNode.getOrDefault(node, Map.of()).keySet().stream()
                .filter(other -> other.pod().spec().priority() < pod.spec().priority())
                .toList();
    }

    /** The pod waits, as it is now. */
    void put(QueueEntry entry) {
        remove(entry);
        String node = entry.nominatedNode();
        if (!node.isEmpty() && (gatedToo || !entry.isHeldByGate())) {
            nodes.put(entry, node);
            byNode.computeIfAbsent(node, _ -> new LinkedHashMap<>()).put(entry, entry.admitted());
        }
    }

    /** A pod that is being tried, and leaves others no room or does so nevertheless, is another by news of it. */
    void refresh(QueueEntry entry) {
        String node = nodes.get(entry);
        if (node != null) {
            byNode.getOrDefault(node, new HashMap<>()).put(entry, entry.admitted());
        }
    }

    /** The node where room is left for the pod; empty where it waits no more, or is nominated to none. */
    String nodeOf(QueueEntry entry) {
        return nodes.getOrDefault(entry, "");
    }

    void remove(QueueEntry entry) {
        String node = nodes.remove(entry);
        if (node != null) {
            Map<QueueEntry, PodInfo> others = byNode.getOrDefault(node, new HashMap<>());
            others.remove(entry);
            if (others.isEmpty()) {
                byNode.remove(node);
            }
        }
    }
}
