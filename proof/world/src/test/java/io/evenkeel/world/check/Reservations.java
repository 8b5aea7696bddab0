package io.evenkeel.world.check;

import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.model.Pod;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * That plugins hold something for pods only where those are, or are on their way to; of pods that are gone nobody tells them. For
 * one that somebody else binds, they do until it is known what was written for it.
 */
final class Reservations {
    private static final Set<String> UNTIL_WRITTEN = Set.of("WRITE", "AWAIT");

    private final String replica;
    private final Map<String, String> reserved;
    /** Where those were on their way to for whom something was being written when they were seen last, by their UIDs. */
    private final Map<String, String> writing = new HashMap<>();

    /** @param reserved the nodes on which a plugin holds something, by the pods' UIDs, now and later */
    Reservations(String replica, Map<String, String> reserved) {
        this.replica = replica;
        this.reserved = reserved;
    }

    void check(Told told, Collection<OnItsWay> onTheirWay) {
        Map<String, String> places = new HashMap<>();
        onTheirWay.forEach(each -> places.put(each.pod().meta().uid(), each.node()));
        writing.keySet().removeIf(uid -> places.containsKey(uid) || !reserved.containsKey(uid));
        onTheirWay.stream()
                .filter(each -> UNTIL_WRITTEN.contains(each.waitingFor()))
                .forEach(each -> writing.put(each.pod().meta().uid(), each.node()));
        reserved.forEach((uid, node) -> {
            Optional<Pod> pod = told.pod(uid);
            String place = places.getOrDefault(
                    uid, pod.map(known -> known.spec().nodeName()).orElse(node));
            boolean isBoundByAnother = !place.isEmpty() && node.equals(writing.get(uid));
            if (!place.equals(node) && !isBoundByAnother) {
                throw new Violation(replica + "'s plugin holds something on " + node + " for "
                        + pod.map(Pod::key).orElse(uid) + ", which is on \"" + place + "\"");
            }
        });
    }
}
