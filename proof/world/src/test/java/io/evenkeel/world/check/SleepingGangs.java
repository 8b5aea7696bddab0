package io.evenkeel.world.check;

import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import io.evenkeel.queue.SchedulingQueue.QueueState;
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

    private static final List<String> OWN_WAITS = List.of("GroupPlacement", "SchedulingGates");

    private final String replica;

    SleepingGangs(String replica) {
        this.replica = replica;
    }

    /** A gang of which some wait, the entries of all that do. */
    private record Gang(OwnerReference owner, String namespace, List<QueueEntryView> entries) {}

    void check(
            Told told,
            Collection<OnItsWay> onTheirWay,
            List<QueueEntryView> queue,
            Picture picture,
            BiFunction<Pod, String, List<Pod>> ahead) {
        Map<String, Gang> gangs = new LinkedHashMap<>();
        for (QueueEntryView entry : queue) {
            told.podOfKey(entry.key())
                    .ifPresent(pod -> Gangs.ownerOf(pod)
                            .ifPresent(owner -> gangs.computeIfAbsent(
                                            owner.uid(), _ -> new Gang(owner, pod.namespace(), new ArrayList<>()))
                                    .entries
                                    .add(entry)));
        }
        gangs.values().forEach(gang -> check(gang, told, onTheirWay, picture, ahead));
    }

    private void check(
            Gang gang,
            Told told,
            Collection<OnItsWay> onTheirWay,
            Picture picture,
            BiFunction<Pod, String, List<Pod>> ahead) {
        boolean isTriedSoon = gang.entries.stream().anyMatch(entry -> switch (entry.state()) {
            case UNSCHEDULABLE -> Sleepers.isByWhim(entry);
            case GATED -> !OWN_WAITS.containsAll(entry.rejectedBy());
            default -> true;
        });
        List<Pod> sleeping = gang.entries.stream()
                .filter(entry -> entry.state() == QueueState.UNSCHEDULABLE)
                .flatMap(entry -> told.podOfKey(entry.key()).stream())
                .filter(pod -> !pod.isPlaced() && !pod.meta().terminating())
                .toList();
        boolean areOthersOnTheirWay = !onTheirWay.isEmpty() && sleeping.stream().anyMatch(Sleepers::othersMayHelp);
        int needed = Math.max(
                1, told.replicas(gang.owner, gang.namespace) - picture.count(pod -> Gangs.isOf(pod, gang.owner)));
        boolean isExtended = gang.entries.stream().anyMatch(QueueEntryView::needsExtenders);
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
