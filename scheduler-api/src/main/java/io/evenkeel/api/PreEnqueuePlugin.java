package io.evenkeel.api;

import io.evenkeel.model.Pod;

/** Decides whether a pod may enter the queue at all. */
public interface PreEnqueuePlugin extends Plugin {
    Status preEnqueue(Pod pod);
}
