package io.evenkeel.lab.bench.hostile;

import java.util.Arrays;

/**
 * How long pods took, each from its creation to its binding, and what all that was done meanwhile cost, for each of them. Time
 * is processor time of the one thread that does all: what else the machine has to do does not count.
 *
 * @param placed how many of them have a node
 * @param cpuMicros of the processor
 * @param units of work
 * @param hints how often a plugin was asked whether a change may help another
 */
record Delays(int placed, double p50Micros, double p99Micros, double cpuMicros, double units, double hints) {

    static Delays of(long[] nanos, int placed, long cpuNanos, long units, long hints) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        double pods = nanos.length;
        return new Delays(
                placed, at(0.50, sorted), at(0.99, sorted), cpuNanos / 1e3 / pods, units / pods, hints / pods);
    }

    private static double at(double share, long[] sorted) {
        return sorted[Math.max((int) Math.ceil(share * sorted.length), 1) - 1] / 1e3;
    }
}
