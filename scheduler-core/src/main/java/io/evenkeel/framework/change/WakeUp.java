package io.evenkeel.framework.change;

import io.evenkeel.model.kind.Kind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The kinds of change that a plugin wants to hear of for the pods that it has turned away, and how it judges them. */
public record WakeUp(Set<ChangeKind> kinds, Hint hint) {

    public WakeUp {
        if (kinds.isEmpty()) {
            throw new IllegalArgumentException("a wake-up on no kind of change, which would never come");
        }
        kinds = Set.copyOf(kinds);
    }

    public static WakeUp on(Hint hint, ChangeKind first, ChangeKind... more) {
        Set<ChangeKind> kinds = new HashSet<>(List.of(more));
        kinds.add(first);
        return new WakeUp(kinds, hint);
    }

    /** On whatever becomes of objects of these kinds; not for nodes and pods, whose changes are {@link ChangeKind}'s. */
    public static WakeUp onAnyOf(Hint hint, Kind<?>... kindsOfObjects) {
        Set<ChangeKind> kinds = new HashSet<>();
        for (Kind<?> kind : kindsOfObjects) {
            kinds.add(ChangeKind.added(kind));
            kinds.add(ChangeKind.updated(kind));
            kinds.add(ChangeKind.deleted(kind));
        }
        return new WakeUp(kinds, hint);
    }
}
