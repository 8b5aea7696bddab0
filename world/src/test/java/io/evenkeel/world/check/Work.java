package io.evenkeel.world.check;

import io.evenkeel.engine.Scheduler.OnItsWay;
import java.util.Collection;

/** That an engine takes no more upon itself than it may: in one turn, which nothing interrupts, and underway. */
final class Work {
    private static final int MOST_EVENTS = 1_024;
    private static final int MOST_PODS = 64;

    private final String replica;
    private final int mostBindings;

    /** @param mostBindings that may be underway beside those that plugins hold up */
    Work(String replica, int mostBindings) {
        this.replica = replica;
        this.mostBindings = mostBindings;
    }

    /** A turn has taken so many events and put so many pods on their way. */
    void check(int events, int decided, Collection<OnItsWay> onTheirWay) {
        if (events > MOST_EVENTS || decided > MOST_PODS) {
            throw new Violation(replica + " takes " + events + " events and decides " + decided + " pods in one turn");
        }
        long bindings = onTheirWay.stream()
                .filter(each -> !each.waitingFor().equals("PERMIT"))
                .count();
        if (bindings > mostBindings) {
            throw new Violation(
                    replica + " has " + bindings + " bindings underway, where " + mostBindings + " are allowed");
        }
    }
}
