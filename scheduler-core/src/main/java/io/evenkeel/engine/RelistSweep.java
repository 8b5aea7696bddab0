package io.evenkeel.engine;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Notes what comes while a kind is listed again, to tell afterwards what did not come; and which kinds came whole.
 *
 * <pre>
 *   known: a b c d
 *   began   saw a   saw b   unreadable: c     ended   d is gone, and c if it was another of that name
 *   began   saw a   unreadable, without name  ended   none is gone, as that may be any of them
 *
 *   known: nothing
 *   began   saw a   saw b                     ended   none is gone, and nothing was noted
 * </pre>
 */
public final class RelistSweep {
    private static final String ANY = "";

    /** By kind and key: the UID that it must have to be still there, or that any will do. */
    private final Map<String, Map<String, String>> seen = new HashMap<>();

    /** Kinds of which nothing can be told to be gone. */
    private final Set<String> uncertain = new HashSet<>();

    private final Set<String> missing;

    /** @param awaited the kinds that must have come whole before {@link #isComplete} */
    public RelistSweep(Set<String> awaited) {
        missing = new HashSet<>(awaited);
    }

    /** Begins, or begins again where a listing was cut off. */
    public void began(String kind) {
        began(kind, true);
    }

    /** @param isAnyKnown whether something may turn out to be gone; else nothing that comes is noted, of which there may be millions */
    public void began(String kind, boolean isAnyKnown) {
        seen.put(kind, new HashMap<>());
        uncertain.remove(kind);
        if (!isAnyKnown) {
            uncertain.add(kind);
        }
    }

    public void saw(KubernetesObject object) {
        if (!seen.isEmpty()) {
            Map<String, String> uids = seen.get(object.kindName());
            if (uids != null && !uncertain.contains(object.kindName())) {
                uids.put(object.meta().key(), ANY);
            }
        }
    }

    /** Something is there that cannot be read; without an identity it may be any object. */
    public void sawUnreadable(String kind, Optional<ObjectMeta> identity) {
        Map<String, String> uids = seen.get(kind);
        if (uids != null) {
            identity.ifPresentOrElse(meta -> uids.put(meta.key(), meta.uid()), () -> uncertain.add(kind));
        }
    }

    /** Ends the listing: tells which objects are gone. */
    public Predicate<ObjectMeta> ended(String kind) {
        missing.remove(kind);
        Map<String, String> uids = seen.remove(kind);
        boolean anyMayBeThere = uncertain.remove(kind);
        return uids == null || anyMayBeThere ? _ -> false : meta -> isGone(meta, uids.get(meta.key()));
    }

    private static boolean isGone(ObjectMeta known, @Nullable String uid) {
        return uid == null || (!uid.equals(ANY) && !uid.equals(known.uid()));
    }

    boolean isUnderway(String kind) {
        return seen.containsKey(kind);
    }

    /** Whether any kind is. */
    public boolean isUnderway() {
        return !seen.isEmpty();
    }

    /** Whether every awaited kind has come whole at least once. */
    boolean isComplete() {
        return missing.isEmpty();
    }

    Set<String> missing() {
        return Set.copyOf(missing);
    }
}
