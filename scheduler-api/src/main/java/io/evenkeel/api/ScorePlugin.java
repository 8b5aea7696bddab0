package io.evenkeel.api;

import java.util.function.LongUnaryOperator;

/**
 * Says how good a node would be for the pod.
 *
 * @since 0.1
 */
public interface ScorePlugin extends Plugin {
    int MAX_SCORE = 100;

    long score(CycleState state, PendingPod pod, NodeInfo node);

    /** Brings raw scores into 0 to {@link #MAX_SCORE}; as they are unless overridden. */
    default void normalize(CycleState state, PendingPod pod, Scores scores) {}

    /** The raw scores of the feasible nodes, of which there is at least one. */
    interface Scores {
        long lowest();

        long highest();

        /** Puts what this makes of each score in its place. */
        void replaceAll(LongUnaryOperator normalized);
    }
}
