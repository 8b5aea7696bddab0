package io.evenkeel.framework.change;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.model.kind.Kind;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The kinds of change that a plugin wants to hear of for the pods that it has turned away, and how it judges them.
 *
 * @param interest what a pod is filed by while it waits; where there is none, the hint is asked for each pod at each change
 */
public record WakeUp(Set<ChangeKind> kinds, Hint hint, Optional<Function<PodInfo, Interest>> interest) {

    public WakeUp {
        if (kinds.isEmpty()) {
            throw new IllegalArgumentException("a wake-up on no kind of change, which would never come");
        }
        kinds = Set.copyOf(kinds);
    }

    public static WakeUp on(Hint hint, ChangeKind first, ChangeKind... more) {
        Set<ChangeKind> kinds = new HashSet<>(List.of(more));
        kinds.add(first);
        return new WakeUp(kinds, hint, Optional.empty());
    }

    /** On whatever becomes of objects of these kinds; not for nodes and pods, whose changes are {@link ChangeKind}'s. */
    public static WakeUp onAnyOf(Hint hint, Kind<?>... kindsOfObjects) {
        Set<ChangeKind> kinds = new HashSet<>();
        for (Kind<?> kind : kindsOfObjects) {
            kinds.add(ChangeKind.added(kind));
            kinds.add(ChangeKind.updated(kind));
            kinds.add(ChangeKind.deleted(kind));
        }
        return new WakeUp(kinds, hint, Optional.empty());
    }

    /**
     * The same for pods that are filed by what they wait for, so that many of them do not hold up the others. Their hint
     * is asked only of changes that bear a sign of the interest, and where there are many to ask about, not all at once:
     * other changes may have come by then, so it must go by the cluster as it is and take the change for no more than an
     * occasion.
     *
     * @param interestOf of a waiting pod; asked when it begins to wait and when it has changed, so that nothing else may
     *     alter it
     */
    public WakeUp filedBy(Function<PodInfo, Interest> interestOf) {
        return new WakeUp(kinds, hint, Optional.of(interestOf));
    }
}
