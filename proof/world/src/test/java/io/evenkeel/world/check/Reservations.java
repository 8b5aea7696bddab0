package io.evenkeel.world.check;

import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.model.Pod;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** That plugins hold something for pods only where those are, or are on their way to; of pods that are gone nobody tells them. */
final class Reservations {
    private final String replica;
    private final Map<String, String> reserved;

    /** @param reserved the nodes on which a plugin holds something, by the pods' UIDs, now and later */
    Reservations(String replica, Map<String, String> reserved) {
        this.replica = replica;
        this.reserved = reserved;
    }

    void check(Told told, Collection<OnItsWay> onTheirWay) {
        if (reserved.isEmpty()) {
            return;
        }
        Map<String, String> places = new HashMap<>();
        onTheirWay.forEach(each -> places.put(each.pod().meta().uid(), each.node()));
        reserved.forEach((uid, node) -> {
            Optional<Pod> pod = told.pod(uid);
            String place = places.getOrDefault(
                    uid, pod.map(known -> known.spec().nodeName()).orElse(node));
            if (!place.equals(node)) {
                throw new Violation(replica + "'s plugin holds something on " + node + " for "
                        + pod.map(Pod::key).orElse(uid) + ", which is on \"" + place + "\"");
            }
        });
    }
}
