package io.evenkeel.engine.decision;

import io.evenkeel.api.PreemptionCandidate;
import java.util.List;

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
}
