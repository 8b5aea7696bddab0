package io.evenkeel.engine;

import io.evenkeel.model.KubernetesObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Notes what comes while a kind is listed again, to tell afterwards what did not come; and which kinds came whole.
 *
 * <pre>
 *   known: a b c d
 *   began   saw a   saw b   unreadable: c     ended   d is gone
 *   began   saw a   unreadable, without name  ended   none is gone, as that may be any of them
 * </pre>
 */
final class RelistSweep {
    private final Map<String, Set<String>> seen = new HashMap<>();
    private final Set<String> uncertain = new HashSet<>();
    private final Set<String> missing;

    /** @param awaited the kinds that must have come whole before {@link #isComplete} */
    RelistSweep(Set<String> awaited) {
        missing = new HashSet<>(awaited);
    }

    /** Begins, or begins again where a listing was cut off. */
    void began(String kind) {
        seen.put(kind, new HashSet<>());
        uncertain.remove(kind);
    }

    void saw(KubernetesObject object) {
        if (!seen.isEmpty()) {
            Set<String> keys = seen.get(object.kindName());
            if (keys != null) {
                keys.add(object.meta().key());
            }
        }
    }

    /** Something is there that cannot be read; without a key it may be any object. */
    void sawUnreadable(String kind, Optional<String> key) {
        Set<String> keys = seen.get(kind);
        if (keys != null) {
            key.ifPresentOrElse(keys::add, () -> uncertain.add(kind));
        }
    }

    /** Ends the listing: tells by their keys which objects are gone. */
    Predicate<String> ended(String kind) {
        missing.remove(kind);
        Set<String> keys = seen.remove(kind);
        boolean anyMayBeThere = uncertain.remove(kind);
        return keys == null || anyMayBeThere ? _ -> false : key -> !keys.contains(key);
    }

    boolean isUnderway(String kind) {
        return seen.containsKey(kind);
    }

    /** Whether every awaited kind has come whole at least once. */
    boolean isComplete() {
        return missing.isEmpty();
    }

    Set<String> missing() {
        return Set.copyOf(missing);
    }
}
