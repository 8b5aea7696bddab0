package io.evenkeel.lab.bench.hostile;

import java.util.Arrays;

/**
 * How long pods took, each from its creation to the news of its binding, in processor time of the one thread that does
 * all: what else the machine has to do does not count.
 *
 * @param placed how many of them have a node
 * @param hintsPerPod how often meanwhile a plugin was asked whether a change may help another
 */
record Delays(int placed, double p50Micros, double p99Micros, double hintsPerPod) {

    static Delays of(long[] nanos, int placed, long hints) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return new Delays(placed, at(0.50, sorted), at(0.99, sorted), (double) hints / nanos.length);
    }

    private static double at(double share, long[] sorted) {
        return sorted[Math.max((int) Math.ceil(share * sorted.length), 1) - 1] / 1e3;
    }
}
