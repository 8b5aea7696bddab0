package io.evenkeel.api;

import io.evenkeel.model.Pod;

/**
 * Decides whether a pod may enter the queue at all.
 *
 * @since 0.1
 */
public interface PreEnqueuePlugin extends Plugin {
    Status preEnqueue(Pod pod);
}
