package io.evenkeel.api;

import io.evenkeel.model.Pod;

/**
 * A pod in the queue, as queue sort plugins see it.
 *
 * @since 0.1
 */
public record QueuedPod(Pod pod, long queuedAtNanos) {}
