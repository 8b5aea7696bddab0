package io.evenkeel.lab.bench;

/**
 * A measurement.
 *
 * @param coldPodsPerSecond of the first pods after the JVM's start, before anything was compiled
 */
public record BenchResult(BenchCase benchCase, Figures figures, double coldPodsPerSecond) {}
