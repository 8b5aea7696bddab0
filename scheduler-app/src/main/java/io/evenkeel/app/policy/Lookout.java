package io.evenkeel.app.policy;

import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the pods of one policy see that wait: one of each kind, as others wait for something else. They are looked at in turn, and what
 * was seen last counts until the next turn.
 *
 * <pre>{@code
 * waiting   zone c, seen by web    by db         of both
 * web       NoRoom, in the way                   NoRoom, in the way
 * web, db   NoRoom, in the way     would take    NoRoom, in the way
 * db                               would take    would take
 * }</pre>
 */
final class Lookout {
    /** By key of the pod, those first that were not looked at for longest. */
    private final Map<String, Turn> turns = new LinkedHashMap<>();

    private record Turn(Pod pod, List<Sight> seen) {}

    /** Of others nothing is to be known any more. */
    void keep(Collection<Pod> pods) {
        Map<String, Pod> now = new HashMap<>();
        pods.forEach(pod -> now.put(pod.key(), pod));
        turns.keySet().retainAll(now.keySet());
        now.forEach((key, pod) -> turns.putIfAbsent(key, new Turn(pod, List.of())));
    }

    /** Whose turn it is. */
    List<Pod> next(int most) {
        return turns.values().stream().limit(most).map(Turn::pod).toList();
    }

    void saw(Pod pod, List<Sight> sights) {
        turns.remove(pod.key());
        turns.put(pod.key(), new Turn(pod, sights));
    }

    /** A sight a domain. */
    List<Sight> sights() {
        Map<Place, Sight> byPlace = new TreeMap<>();
        turns.values().forEach(turn -> turn.seen().forEach(sight -> byPlace.merge(sight.place(), sight, Sight::and)));
        return new ArrayList<>(byPlace.values());
    }
}
