package io.evenkeel.model.workload;

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
public final class DeletionOrder {
    private static final List<String> PHASES = List.of("Pending", "Unknown", "Running");

    private final Map<String, Long> perNode;
    private final Instant now;

    /**
     * A pod, as this order sees it.
     *
     * @param node empty while it has none
     * @param readySince of a pod that is ready, else the present
     * @param restarts of the container that was restarted most often
     * @param sidecarRestarts the same of the init containers that go on beside the others
     */
    public record Candidate(
            String uid,
            String node,
            String phase,
            boolean isReady,
            long cost,
            Instant readySince,
            long restarts,
            long sidecarRestarts,
            Instant created) {}

    /** @param related the nodes of the pods to count on them, each as often as it has one */
    public DeletionOrder(Collection<String> related, Instant now) {
        perNode = related.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        this.now = now;
    }

    /**
     * Returns so many of the pods, the first to go. Where some pods were created in the same second and others about then, the
     * order may go round in a circle, which a heap does not mind and a sort does.
     */
    public <P> List<P> first(long count, Collection<P> pods, Function<P, Candidate> candidate) {
        record Entry<P>(P pod, Candidate candidate) {}
        PriorityQueue<Entry<P>> heap =
                new PriorityQueue<>(Math.max(1, pods.size()), Comparator.comparing(Entry::candidate, order()));
        pods.forEach(pod -> heap.add(new Entry<>(pod, candidate.apply(pod))));
        return Stream.generate(heap::remove)
                .limit(Math.min(count, pods.size()))
                .map(Entry::pod)
                .toList();
    }

    private Comparator<Candidate> order() {
        Function<Candidate, Long> neighbours = pod -> perNode.getOrDefault(pod.node(), 0L);
        return Comparator.comparing((Candidate pod) -> !pod.node().isEmpty())
                .thenComparingInt(pod -> PHASES.indexOf(pod.phase()))
                .thenComparing(Candidate::isReady)
                .thenComparingLong(Candidate::cost)
                .thenComparing(neighbours, Comparator.reverseOrder())
                .thenComparing(laterFirst(Candidate::readySince))
                .thenComparing(mostFirst(Candidate::restarts))
                .thenComparing(mostFirst(Candidate::sidecarRestarts))
                .thenComparing(laterFirst(Candidate::created));
    }

    private static Comparator<Candidate> mostFirst(ToLongFunction<Candidate> count) {
        return Comparator.comparingLong(count).reversed();
    }

    private Comparator<Candidate> laterFirst(Function<Candidate, Instant> time) {
        return (one, other) -> {
            Instant its = time.apply(one);
            Instant others = time.apply(other);
            if (its.equals(others)) {
                return 0;
            }
            int byAge = Integer.compare(age(its), age(others));
            return byAge != 0 ? byAge : one.uid().compareTo(other.uid());
        };
    }

    /** How many times it has doubled from a nanosecond. */
    private int age(Instant since) {
        long nanos = Duration.between(since, now).toNanos();
        return nanos <= 0 ? -1 : Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
    }

    /** The cost that an annotation gives a pod; 0 where it is no number. */
    public static long cost(String annotation) {
        try {
            return annotation.matches("0|-.*|[1-9].*") ? Integer.parseInt(annotation) : 0;
        } catch (NumberFormatException e) {
            return 0; // as the real one takes what is no number
        }
    }
}
