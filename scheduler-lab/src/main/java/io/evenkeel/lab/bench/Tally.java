package io.evenkeel.lab.bench;

/**
 * The work of a scheduler.
 *
 * @param hints how often a plugin was asked whether a change may help a pod
 * @param wakeUps how often a change let a pod try again that waited for one
 * @param placed attempts by which a pod got a node
 * @param rejected attempts by which it got none
 */
record Tally(long hints, long wakeUps, long placed, long rejected) {
    static final Tally NONE = new Tally(0, 0, 0, 0);

    /** The work since then. */
    Tally since(Tally then) {
        return new Tally(hints - then.hints, wakeUps - then.wakeUps, placed - then.placed, rejected - then.rejected);
    }

    Tally plus(Tally more) {
        return new Tally(hints + more.hints, wakeUps + more.wakeUps, placed + more.placed, rejected + more.rejected);
    }
}
