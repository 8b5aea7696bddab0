package io.evenkeel.tools.why;

import java.time.Duration;
import java.util.Optional;

/**
 * The queue's knowledge of a pod in a live scheduler.
 *
 * @param queue as metrics name it, such as {@code unschedulable}
 * @param attempts how often the pod has had its turn
 * @param since how long it has been in this queue
 * @param nextTry when it has its turn if nothing changes; empty where only a change helps, or it is its turn anyway
 * @param nominatedNode where room is left for it; empty for none
 */
record QueuedPod(String queue, int attempts, Duration since, Optional<Duration> nextTry, String nominatedNode) {}
