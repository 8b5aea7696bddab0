package io.evenkeel.world.check;

import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.world.check.Gangs.Gang;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * That no gang sleeps that fits as a whole, by what has been told: as many of it as are needed, one after the other, or all
 * at once where they ask for that. One of which a pod is tried soon does not sleep, and neither does one for which others are on
 * their way out. Of one in which extenders have a say nobody is placed with the others.
 */
final class SleepingGangs {
    /** So many places are tried for one; of who fits only where more are tried, it is left to the end to tell. */
    private static final int MOST_TRIED = 150;

    private static final List<String> OWN_WAITS = List.of("GroupPlacement", "Coscheduling", "SchedulingGates");

    private final String replica;

    SleepingGangs(String replica) {
        this.replica = replica;
    }

    void check(
            Told told,
            Collection<OnItsWay> onTheirWay,
            List<QueueEntryView> queue,
            Picture picture,
            BiFunction<Pod, String, List<Pod>> ahead) {
        Map<Gang, List<QueueEntryView>> gangs = new LinkedHashMap<>();
        for (QueueEntryView entry : queue) {
            told.podOfKey(entry.key())
                    .flatMap(Gangs::of)
                    .ifPresent(gang ->
                            gangs.computeIfAbsent(gang, _ -> new ArrayList<>()).add(entry));
        }
        gangs.forEach((gang, entries) -> check(gang, entries, told, onTheirWay, picture, ahead));
    }

    private void check(
            Gang gang,
            List<QueueEntryView> entries,
            Told told,
            Collection<OnItsWay> onTheirWay,
            Picture picture,
            BiFunction<Pod, String, List<Pod>> ahead) {
        boolean isTriedSoon = entries.stream().anyMatch(entry -> switch (entry.state()) {
            case UNSCHEDULABLE -> Sleepers.isByWhim(entry);
            case GATED -> !OWN_WAITS.containsAll(entry.rejectedBy());
            default -> true;
        });
        List<Pod> sleeping = entries.stream()
                .filter(entry -> entry.state() == QueueState.UNSCHEDULABLE)
                .flatMap(entry -> told.podOfKey(entry.key()).stream())
                .filter(pod -> !pod.isPlaced() && !pod.meta().terminating())
                .toList();
        boolean areOthersOnTheirWay = !onTheirWay.isEmpty() && sleeping.stream().anyMatch(Sleepers::othersMayHelp);
        int needed = Math.max(1, told.needed(gang) - picture.count(gang::has));
        boolean isExtended = entries.stream().anyMatch(QueueEntryView::needsExtenders);
        if (isTriedSoon || isExtended || areOthersOnTheirWay || sleeping.size() < needed) {
            return;
        }
        boolean fits = picture.fitInTurn(sleeping.subList(0, needed), ahead, MOST_TRIED)
                || (sleeping.stream().allMatch(Gangs::isEndState) && picture.fitAtOnce(sleeping, ahead, MOST_TRIED));
        if (fits) {
            throw new Violation(replica + " lets "
                    + sleeping.stream().map(Pod::key).toList() + " sleep, though " + needed + " of them fit together");
        }
    }
}
