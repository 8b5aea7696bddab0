package io.evenkeel.kube.api;

import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Time and chance, handed in wherever either is needed, so that a test decides both. Threads may share them.
 *
 * @param nanos how much time has passed, by a clock that is never set and was not far from 0 at the beginning
 * @param time of day, as objects carry it
 */
public record Clocks(LongSupplier nanos, InstantSource time, RandomGenerator random) {
    public static final Clocks SYSTEM = new Clocks(
            sinceNow(),
            InstantSource.system(),
            () -> ThreadLocalRandom.current().nextLong());

    /** From 0 on, so that no sum of times can overflow: {@link System#nanoTime} may begin anywhere. */
    private static LongSupplier sinceNow() {
        long begin = System.nanoTime();
        return () -> System.nanoTime() - begin;
    }
}
