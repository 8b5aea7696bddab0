package io.evenkeel.engine.decision;

import io.evenkeel.api.Status;
import java.util.Map;
import java.util.Set;

/**
 * The answer of extenders about the nodes that they were asked about, by name.
 *
 * @param left those on which the pod may go
 * @param turnedAway why it may not go on others; not all of these need to have a reason, and some may be none of those
 *     that were asked about
 * @param scores what is added to nodes' totals; nothing where there was not more than one to choose
 */
public record ExtenderAdvice(Set<String> left, Map<String, Status> turnedAway, Map<String, Long> scores) {
    public ExtenderAdvice {
        left = Set.copyOf(left);
        turnedAway = Map.copyOf(turnedAway);
        scores = Map.copyOf(scores);
    }
}
