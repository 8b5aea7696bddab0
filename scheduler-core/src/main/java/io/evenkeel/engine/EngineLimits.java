package io.evenkeel.engine;

import io.evenkeel.cluster.ClusterLimits;
import io.evenkeel.queue.QueueSettings.HintLimits;

/**
 * How much the engine has underway, keeps and asks in a turn at most.
 *
 * @param mostBindings how many pods may be on their way at once, however fast the server takes requests
 */
public record EngineLimits(int mostBindings, ClusterLimits cluster, HintLimits hints) {
    public static final EngineLimits USUAL = new EngineLimits(1024, ClusterLimits.USUAL, HintLimits.USUAL);
    public static final EngineLimits LEAST = new EngineLimits(1, ClusterLimits.LEAST, HintLimits.LEAST);

    public EngineLimits {
        if (mostBindings < 1) {
            throw new IllegalArgumentException("mostBindings: " + mostBindings + " is less than 1");
        }
    }
}
