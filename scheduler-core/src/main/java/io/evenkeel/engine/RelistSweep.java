package io.evenkeel.engine;

import io.evenkeel.model.KubernetesObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Notes what comes while a kind is listed anew, to tell afterwards what did not come; and which kinds came whole. */
final class RelistSweep {
    private final Map<String, Set<String>> seen = new HashMap<>();
    private final Set<String> missing;

    /** @param awaited the kinds that must have come whole before {@link #isComplete} */
    RelistSweep(Set<String> awaited) {
        missing = new HashSet<>(awaited);
    }

    /** Begins, or begins again where a listing was cut off. */
    void began(String kind) {
        seen.put(kind, new HashSet<>());
    }

    void saw(KubernetesObject object) {
        if (!seen.isEmpty()) {
            Set<String> keys = seen.get(object.kindName());
            if (keys != null) {
                keys.add(object.meta().key());
            }
        }
    }

    /** Ends the listing: the keys that came. */
    Set<String> ended(String kind) {
        missing.remove(kind);
        Set<String> keys = seen.remove(kind);
        return keys == null ? Set.of() : keys;
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
