package io.evenkeel.api;

import java.util.List;

/**
 * The extenders' word on which pods go for a pod. Where they have a say, a pod is tried twice: first for the candidates that they
 * are asked about, then with their answer.
 *
 * @since 0.1
 */
public sealed interface VictimAdvice {
    /** By which the reference names extenders among the plugins that turn pods away; anything may help who waits for it. */
    String EXTENDER = "Extender";

    VictimAdvice NOT_NEEDED = new NotNeeded();
    VictimAdvice NEEDED = new Needed();

    /** Extenders have no say. */
    record NotNeeded() implements VictimAdvice {}

    /** They are to be asked: a plugin answers with its candidates. */
    record Needed() implements VictimAdvice {}

    /** One failed that may not be ignored. */
    record Failed(String message) implements VictimAdvice {}

    /**
     * They have answered.
     *
     * @param asked what they were asked about
     * @param left what they leave of it; who goes may be others of the node's pods than were asked about
     * @param mayAskAgain whether they can be asked once more, where the cluster has moved on
     */
    record Given(List<PreemptionCandidate> asked, List<PreemptionCandidate> left, boolean mayAskAgain)
            implements VictimAdvice {
        public Given {
            asked = List.copyOf(asked);
            left = List.copyOf(left);
        }
    }
}
