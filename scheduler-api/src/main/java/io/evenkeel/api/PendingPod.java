package io.evenkeel.api;

import io.evenkeel.model.Pod;

/**
 * A pod that is to be placed. Valid until the call returns that hands it out.
 *
 * @since 0.1
 */
public interface PendingPod {
    Pod pod();

    /** Returns the pod's request: CPU in thousandths of a core, all else in whole units. */
    long requested(String resource);
}
