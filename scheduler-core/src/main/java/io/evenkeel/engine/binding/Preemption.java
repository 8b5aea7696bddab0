package io.evenkeel.engine.binding;

import io.evenkeel.model.Pod;
import java.util.HashSet;
import java.util.Set;

/** A pod for which others are on their way out. */
final class Preemption {
    private final Pod preemptor;
    private final long startedAt;
    private final Set<String> awaited = new HashSet<>();
    private boolean failed;

    Preemption(Pod preemptor, long startedAt) {
        this.preemptor = preemptor;
        this.startedAt = startedAt;
    }

    Pod preemptor() {
        return preemptor;
    }

    long startedAt() {
        return startedAt;
    }

    /** The UIDs of the pods that are not known to leave yet. */
    Set<String> awaited() {
        return awaited;
    }

    /** Whether somebody stays after all. */
    boolean hasFailed() {
        return failed;
    }

    void fail() {
        failed = true;
    }
}
