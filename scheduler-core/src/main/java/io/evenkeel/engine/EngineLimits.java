package io.evenkeel.engine;

import io.evenkeel.cluster.ClusterLimits;

/**
 * How much the engine has underway and keeps at most.
 *
 * @param mostBindings how many pods may be on their way at once, however fast the server takes requests
 */
public record EngineLimits(int mostBindings, ClusterLimits cluster) {
    public static final EngineLimits USUAL = new EngineLimits(1024, ClusterLimits.USUAL);
    public static final EngineLimits LEAST = new EngineLimits(1, ClusterLimits.LEAST);

    public EngineLimits {
        if (mostBindings < 1) {
            throw new IllegalArgumentException("mostBindings: " + mostBindings + " is less than 1");
        }
    }
}
