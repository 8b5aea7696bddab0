package io.evenkeel.kube.patch;

import java.time.Duration;

/**
 * How fast patches are sent.
 *
 * @param perSecond of all objects together, on average
 * @param betweenSame the least time between two patches of one object
 */
public record Pace(int perSecond, Duration betweenSame) {
    public Pace {
        if (perSecond < 1 || betweenSame.isNegative()) {
            throw new IllegalArgumentException(perSecond + " a second, " + betweenSame + " between two of an object");
        }
    }
}
