package io.evenkeel.policies.status;

import io.evenkeel.model.Pod;
import io.evenkeel.policies.status.DomainMemory.Place;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The sights of one policy's waiting pods, one of each kind, as others wait for something else; and while domains are relaxed,
 * one that does not wait. They are looked at in turn, and what was seen last counts until the next turn.
 *
 * <pre>{@code
 * waiting   zone c, seen by web    by db         of both
 * web       NoRoom, in the way                   NoRoom, in the way
 * web, db   NoRoom, in the way     would take    NoRoom, in the way
 * db                               would take    would take
 * }</pre>
 */
final class SampledPods {
    /** The lookers; the longest not looked at comes first. */
    private final Map<Looker, Turn> turns = new LinkedHashMap<>();

    private record Looker(String pod, boolean isPlaced) {
        static Looker of(Pod pod) {
            return new Looker(pod.key(), pod.isPlaced());
        }
    }

    private record Turn(Pod pod, List<DomainView> seen) {
        /** The same, of the pod as it is now. */
        Turn of(Pod now) {
            return new Turn(now, seen);
        }
    }

    /** Of others nothing is to be known any more. */
    void keep(Collection<Pod> pods) {
        Map<Looker, Pod> now = new HashMap<>();
        pods.forEach(pod -> now.put(Looker.of(pod), pod));
        turns.keySet().retainAll(now.keySet());
        now.forEach((looker, pod) -> turns.merge(looker, new Turn(pod, List.of()), (before, _) -> before.of(pod)));
    }

    /** The pods to be looked at next. */
    List<Pod> next(int most) {
        return turns.values().stream().limit(most).map(Turn::pod).toList();
    }

    void saw(Pod pod, List<DomainView> sights) {
        turns.remove(Looker.of(pod));
        turns.put(Looker.of(pod), new Turn(pod, sights));
    }

    /** A sight a domain. */
    List<DomainView> sights() {
        Map<Place, DomainView> byPlace = new TreeMap<>();
        turns.values()
                .forEach(turn -> turn.seen().forEach(sight -> byPlace.merge(sight.place(), sight, DomainView::and)));
        return new ArrayList<>(byPlace.values());
    }
}
