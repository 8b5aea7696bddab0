package io.evenkeel.plugins.preemption;

import io.evenkeel.model.Pod;
import java.util.Comparator;
import java.util.List;

/**
 * A node on which the pod fits once the victims are gone.
 *
 * @param victims the most important first, at least one
 * @param violations how many of them have a budget that is used up
 */
record Candidate(String node, List<Pod> victims, int violations) {
    /** What makes the priorities of all pods positive, so that more victims are a greater sum. */
    private static final long OFFSET = 1L << 31;

    /** The one with the least harm first; equal ones by name. */
    static final Comparator<Candidate> LEAST_HARM = Comparator.comparingInt(Candidate::violations)
            .thenComparingInt(Candidate::highestPriority)
            .thenComparingLong(Candidate::prioritySum)
            .thenComparingInt(candidate -> candidate.victims().size())
            .thenComparing(Candidate::earliestStart, Comparator.reverseOrder())
            .thenComparing(Candidate::node);

    private int highestPriority() {
        return Victims.priority(victims.getFirst());
    }

    private long prioritySum() {
        return victims.stream()
                .mapToLong(victim -> Victims.priority(victim) + OFFSET)
                .sum();
    }

    /** Of the victims of highest priority, when the first of them started. */
    private String earliestStart() {
        return Victims.start(victims.getFirst());
    }
}
