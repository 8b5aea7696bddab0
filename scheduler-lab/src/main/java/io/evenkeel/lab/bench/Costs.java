package io.evenkeel.lab.bench;

import java.util.Arrays;

/**
 * The costs of one run, in processor time of the one thread that does all: other work of the machine does not count.
 * An attempt belongs to its cause: an attempt of a pod that a node's change has woken is the node's.
 *
 * @param podMicros a pod, from its creation to the news of its binding
 * @param podP99Micros only one pod in a hundred takes more
 * @param eventMicros an event of a node
 * @param eventP99Micros only one event in a hundred takes more
 * @param allMicros all that happened, for each pod: events and deletions too
 * @param ofPods what the scheduler did meanwhile for pods
 * @param ofEvents and for events of nodes
 */
record Costs(
        double podMicros,
        double podP99Micros,
        double eventMicros,
        double eventP99Micros,
        double allMicros,
        Tally ofPods,
        Tally ofEvents) {

    static Costs of(long[] podNanos, long[] eventNanos, long allNanos, Tally ofPods, Tally ofEvents) {
        return new Costs(
                mean(podNanos),
                p99(podNanos),
                mean(eventNanos),
                p99(eventNanos),
                allNanos / 1e3 / podNanos.length,
                ofPods,
                ofEvents);
    }

    Tally tally() {
        return ofPods.plus(ofEvents);
    }

    double hintsPerEvent(int events) {
        return (double) ofEvents.hints() / events;
    }

    /** Attempts by which no pod was placed, of all. */
    double inVain() {
        long attempts = tally().placed() + tally().rejected();
        return attempts == 0 ? 0 : (double) tally().rejected() / attempts;
    }

    private static double mean(long[] nanos) {
        return Arrays.stream(nanos).average().orElse(0) / 1e3;
    }

    private static double p99(long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted[Math.max((int) Math.ceil(0.99 * sorted.length), 1) - 1] / 1e3;
    }
}
