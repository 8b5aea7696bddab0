package io.evenkeel.world.check;

import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.model.OwnerReference;
import java.util.Collection;
import java.util.stream.Collectors;

/** That an engine takes no more upon itself than it may: in one turn, which nothing interrupts, and underway. */
final class Work {
    private static final int MOST_EVENTS = 1_024;
    private static final int MOST_PODS = 64;

    private final String replica;
    private final int mostBindings;

    /** @param mostBindings that may be underway beside those that plugins, volumes or devices hold up */
    Work(String replica, int mostBindings) {
        this.replica = replica;
        this.mostBindings = mostBindings;
    }

    /** A turn has taken so many events and put so many pods on their way. */
    void check(int events, int decided, Collection<OnItsWay> onTheirWay) {
        if (events > MOST_EVENTS || decided > MOST_PODS) {
            throw new Violation(replica + " takes " + events + " events and decides " + decided + " pods in one turn");
        }
        long bindings = onTheirWay.stream().filter(Work::isPrompt).count();
        long atOnce = largestOfOneOwner(onTheirWay);
        if (bindings - atOnce >= mostBindings) {
            throw new Violation(replica + " has " + bindings + " bindings underway, " + atOnce
                    + " of them begun at once, where " + mostBindings + " are allowed");
        }
    }

    /** Neither a plugin nor its volumes or devices hold it up. */
    private static boolean isPrompt(OnItsWay each) {
        return !each.waitingFor().equals("PERMIT")
                && each.pod().spec().volumes().isEmpty()
                && !DeviceUse.concerns(each.pod());
    }

    /** Those of one owner may be decided together, as soon as less is underway than may be. */
    private static long largestOfOneOwner(Collection<OnItsWay> onTheirWay) {
        return onTheirWay.stream()
                .filter(Work::isPrompt)
                .flatMap(each -> each.pod().meta().controller().stream())
                .collect(Collectors.groupingBy(OwnerReference::uid, Collectors.counting()))
                .values()
                .stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(1);
    }
}
