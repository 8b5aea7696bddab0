package io.evenkeel.hollow.controller;

import io.evenkeel.hollow.json.Trees;
import io.evenkeel.hollow.store.StoredObject;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Which pods a ReplicaSet can best do without, first the ones to go: unassigned, not running, not ready, of lower deletion
 * cost, beside more pods of the same kind on their node, ready more recently, created more recently.
 */
final class DeletionOrder {

    private static final String COST = "controller.kubernetes.io/pod-deletion-cost";

    private DeletionOrder() {}

    /** The order; {@code related} are the pods to count on the nodes. */
    static Comparator<StoredObject> among(Iterable<StoredObject> related) {
        Map<String, Long> perNode = java.util.stream.StreamSupport.stream(related.spliterator(), false)
                .collect(Collectors.groupingBy(PodState::node, Collectors.counting()));
        Function<StoredObject, Long> neighbours = pod -> perNode.getOrDefault(PodState.node(pod), 0L);
        return Comparator.comparing((StoredObject pod) -> !PodState.node(pod).isEmpty())
                .thenComparing(pod -> PodState.phase(pod).equals("Running"))
                .thenComparing(PodState::isReady)
                .thenComparingLong(DeletionOrder::cost)
                .thenComparing(neighbours, Comparator.reverseOrder())
                .thenComparing(pod -> PodState.readySince(pod).orElse(Instant.MAX), Comparator.reverseOrder())
                .thenComparing(
                        pod -> Trees.text(pod.tree(), "metadata", "creationTimestamp"), Comparator.reverseOrder());
    }

    private static long cost(StoredObject pod) {
        String text = Trees.text(pod.tree(), "metadata", "annotations", COST);
        try {
            return text.isEmpty() ? 0 : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return 0; // as the real one takes what is no number
        }
    }
}
