package io.evenkeel.app.record;

import io.evenkeel.engine.RelistSweep;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The last version of each object by the events so far, and a small number for each that is its own while it is there. The
 * writer and the reader of a record come to the same numbers, by the same events.
 */
final class ToldObjects {
    private record Numbered(int number, KubernetesObject object) {}

    private final Map<String, Map<String, Numbered>> byKind = new LinkedHashMap<>();
    private final List<Optional<KubernetesObject>> byNumber = new ArrayList<>();
    private final Deque<Integer> free = new ArrayDeque<>();
    private final RelistSweep sweep = new RelistSweep(Set.of());

    /** Takes the event in. */
    void took(SchedulerEvent event) {
        switch (event) {
            case ClusterEvent.Put put -> put(put.object());
            case ClusterEvent.Removed removed -> remove(removed.object());
            case Relist.Began began -> sweep.began(began.kind());
            case Relist.Present present -> sweep.sawUnreadable(present.kind(), present.identity());
            case Relist.Ended ended -> end(ended.kind());
            default -> {}
        }
    }

    void put(KubernetesObject object) {
        ObjectMeta meta = object.meta();
        Map<String, Numbered> all = byKind.computeIfAbsent(object.kindName(), _ -> new LinkedHashMap<>());
        Numbered before = all.get(meta.key());
        int number = before == null ? numbered() : before.number();
        byNumber.set(number, Optional.of(object));
        all.put(meta.key(), new Numbered(number, object));
        sweep.saw(object);
    }

    private int numbered() {
        if (free.isEmpty()) {
            byNumber.add(Optional.empty());
            return byNumber.size() - 1;
        }
        return free.pop();
    }

    private void remove(KubernetesObject object) {
        Numbered known = byKind.getOrDefault(object.kindName(), Map.of())
                .get(object.meta().key());
        if (known != null && isSame(known.object().meta().uid(), object.meta().uid())) {
            forget(known);
        }
    }

    /** Objects that are only named carry no UID. */
    private static boolean isSame(String uid, String other) {
        return uid.isEmpty() || other.isEmpty() || uid.equals(other);
    }

    private void forget(Numbered gone) {
        byKind.getOrDefault(gone.object().kindName(), new HashMap<>())
                .remove(gone.object().meta().key());
        byNumber.set(gone.number(), Optional.empty());
        free.push(gone.number());
    }

    private void end(String kind) {
        Predicate<ObjectMeta> isGone = sweep.ended(kind);
        byKind.getOrDefault(kind, Map.of()).values().stream()
                .filter(known -> isGone.test(known.object().meta()))
                .toList()
                .forEach(this::forget);
    }

    /** Whether a listing has begun and not ended. */
    boolean isBeingListed() {
        return sweep.isUnderway();
    }

    /** The number of what is known by this kind and key; -1 for nothing. */
    int numberOf(String kind, String key) {
        Numbered known = byKind.getOrDefault(kind, Map.of()).get(key);
        return known == null ? -1 : known.number();
    }

    /** Finds an object by its number; objects that were there once are found too. */
    Optional<KubernetesObject> find(int number) {
        return number >= 0 && number < byNumber.size() ? byNumber.get(number) : Optional.empty();
    }

    /** One more than the highest number that has been given. */
    int end() {
        return byNumber.size();
    }

    /** All there are, kind by kind. */
    List<KubernetesObject> all() {
        List<KubernetesObject> all = new ArrayList<>();
        byKind.values().forEach(kind -> kind.values().forEach(known -> all.add(known.object())));
        return all;
    }
}
