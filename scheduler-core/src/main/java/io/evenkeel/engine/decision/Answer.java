package io.evenkeel.engine.decision;

import io.evenkeel.api.PreemptionCandidate;
import io.evenkeel.api.Status;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An answer of the extenders. */
public sealed interface Answer {

    /** To {@link Question.OfNodes}. */
    record Advised(ExtenderAdvice advice) implements Answer {}

    /** To {@link Question.OfVictims}: what they leave of the candidates. */
    record VictimsChosen(List<PreemptionCandidate> left) implements Answer {}

    /**
     * To any: one failed that may not be ignored.
     *
     * @param message for the pod's user
     */
    record Failed(String message) implements Answer {}

    /**
     * The answer of extenders about the nodes that they were asked about, by name.
     *
     * @param left those on which the pod may go
     * @param turnedAway why it may not go on others; not all of these need to have a reason, and some may be none of those
     *     that were asked about
     * @param scores what is added to nodes' totals; nothing where there was not more than one to choose
     */
    record ExtenderAdvice(Set<String> left, Map<String, Status> turnedAway, Map<String, Long> scores) {
        public ExtenderAdvice {
            left = Set.copyOf(left);
            turnedAway = Map.copyOf(turnedAway);
            scores = Map.copyOf(scores);
        }
    }
}
