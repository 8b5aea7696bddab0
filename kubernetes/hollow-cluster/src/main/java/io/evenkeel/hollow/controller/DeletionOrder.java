package io.evenkeel.hollow.controller;

import io.evenkeel.hollow.json.Trees;
import io.evenkeel.hollow.store.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which pods a ReplicaSet can best do without, first the ones to go: unassigned, pending before unknown
 * before running, not ready, of lower deletion cost, beside more pods of their Deployment on their node, ready more
 * recently, restarted more often, created more recently.
 *
 * <p>Recent is taken by powers of two, as the real one does lest always the pods of the last scale-up go: of pods that are about
 * as old as each other, chance decides, by their UIDs.
 */
final class DeletionOrder {
    private static final String COST = "controller.kubernetes.io/pod-deletion-cost";
    private static final List<String> PHASES = List.of("Pending", "Unknown", "Running");

    private final Map<String, Long> perNode;
    private final Instant now;

    /** @param related the pods to count on the nodes */
    DeletionOrder(Collection<StoredObject> related, Instant now) {
        perNode = related.stream().collect(Collectors.groupingBy(PodState::node, Collectors.counting()));
        this.now = now;
    }

    /**
     * Returns so many of the pods, the first to go. Where some pods were created in the same second and others about then, the
     * order may go round in a circle, which a heap does not mind and a sort does.
     */
    List<StoredObject> first(long count, Collection<StoredObject> pods) {
        PriorityQueue<StoredObject> heap = new PriorityQueue<>(Math.max(1, pods.size()), order());
        heap.addAll(pods);
        return Stream.generate(heap::remove).limit(Math.min(count, pods.size())).toList();
    }

    private Comparator<StoredObject> order() {
        Function<StoredObject, Long> neighbours = pod -> perNode.getOrDefault(PodState.node(pod), 0L);
        return Comparator.comparing((StoredObject pod) -> !PodState.node(pod).isEmpty())
                .thenComparingInt(pod -> PHASES.indexOf(PodState.phase(pod)))
                .thenComparing(PodState::isReady)
                .thenComparingLong(DeletionOrder::cost)
                .thenComparing(neighbours, Comparator.reverseOrder())
                .thenComparing(laterFirst(pod -> PodState.readySince(pod).orElse(now)))
                .thenComparing(mostFirst(PodState::restarts))
                .thenComparing(mostFirst(PodState::sidecarRestarts))
                .thenComparing(laterFirst(DeletionOrder::created));
    }

    private static Comparator<StoredObject> mostFirst(ToLongFunction<StoredObject> count) {
        return Comparator.comparingLong(count).reversed();
    }

    private Comparator<StoredObject> laterFirst(Function<StoredObject, Instant> time) {
        return (one, other) -> {
            Instant its = time.apply(one);
            Instant others = time.apply(other);
            if (its.equals(others)) {
                return 0;
            }
            int byAge = Integer.compare(age(its), age(others));
            return byAge != 0 ? byAge : uid(one).compareTo(uid(other));
        };
    }

    /** How many times it has doubled from a nanosecond. */
    private int age(Instant since) {
        long nanos = Duration.between(since, now).toNanos();
        return nanos <= 0 ? -1 : Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
    }

    private static Instant created(StoredObject pod) {
        return Instant.parse(Trees.text(pod.tree(), "metadata", "creationTimestamp"));
    }

    private static String uid(StoredObject pod) {
        return Trees.text(pod.tree(), "metadata", "uid");
    }

    private static long cost(StoredObject pod) {
        String text = Trees.text(pod.tree(), "metadata", "annotations", COST);
        try {
            return text.matches("0|-.*|[1-9].*") ? Integer.parseInt(text) : 0;
        } catch (NumberFormatException e) {
            return 0; // as the real one takes what is no number
        }
    }
}
