package io.evenkeel.api;

import java.util.Comparator;

/**
 * Orders the queue; the least pod is scheduled first. A profile has exactly one.
 *
 * @since 0.1
 */
public interface QueueSortPlugin extends Plugin, Comparator<QueuedPod> {}
