package io.evenkeel.queue;

import java.util.List;
import java.util.OptionalLong;

/**
 * A pod in the queue, for dumps.
 *
 * @param sinceNanos when it came into its state
 * @param rejectedBy the plugins that keep it waiting or gated, sorted
 * @param nominatedNode where room is left for it; empty for none
 * @param needsExtenders whether it can be tried only while no other pod is at the extenders
 * @param nextTryNanos when it is tried again if nothing changes; empty where it is its turn anyway, or only a change helps
 */
public record QueueEntryView(
        String key,
        QueueState state,
        int priority,
        int attempts,
        long sinceNanos,
        List<String> rejectedBy,
        String nominatedNode,
        boolean needsExtenders,
        OptionalLong nextTryNanos) {

    /** Whether it would be its turn if no other pod were at the extenders. */
    public boolean waitsForExtenders() {
        return needsExtenders && state == QueueState.ACTIVE;
    }
}
