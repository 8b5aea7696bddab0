package io.evenkeel.api;

import io.evenkeel.model.kind.Kind;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The kinds of change that a plugin wants to hear of for the pods that it has turned away, and how it judges them.
 *
 * @param interest what a pod is filed by while it waits; where there is none, the hint is asked at each change
 * @param likeness what pods have in common that get the same answer; where there is none, the hint is asked for each pod
 * @param onlyThere whether a yes is about the node alone that the change is about
 * @param gangHint asked in the place of the hint about pods of gangs
 * @since 0.1
 */
public record WakeUp(
        Set<ChangeKind> kinds,
        Hint hint,
        Optional<Function<PendingPod, Interest>> interest,
        Optional<Function<PendingPod, Object>> likeness,
        boolean onlyThere,
        Hint gangHint) {

    public WakeUp {
        if (kinds.isEmpty()) {
            throw new IllegalArgumentException("a wake-up on no kind of change, which would never come");
        }
        kinds = Set.copyOf(kinds);
    }

    public static WakeUp on(Hint hint, ChangeKind first, ChangeKind... more) {
        Set<ChangeKind> kinds = new HashSet<>(List.of(more));
        kinds.add(first);
        return new WakeUp(kinds, hint, Optional.empty(), Optional.empty(), false, Hint.ALWAYS);
    }

    /** On all changes of objects of these kinds; not for nodes and pods, which have the changes of {@link ChangeKind}. */
    public static WakeUp onAnyOf(Hint hint, Kind<?>... kindsOfObjects) {
        Set<ChangeKind> kinds = new HashSet<>();
        for (Kind<?> kind : kindsOfObjects) {
            kinds.add(ChangeKind.added(kind));
            kinds.add(ChangeKind.updated(kind));
            kinds.add(ChangeKind.deleted(kind));
        }
        return new WakeUp(kinds, hint, Optional.empty(), Optional.empty(), false, Hint.ALWAYS);
    }

    /**
     * Files pods by what they wait for, so that many of them do not hold up the others. Their hint
     * is asked only of changes that bear a sign of the interest, and where there are many to ask about, not all at once:
     * other changes may have come by then, so it must go by the cluster as it is and take the change for no more than an
     * occasion.
     *
     * @param interestOf of a waiting pod; asked when it begins to wait and when it has changed, so that nothing else may
     *     alter it
     */
    public WakeUp filedBy(Function<PendingPod, Interest> interestOf) {
        return new WakeUp(kinds, hint, Optional.of(interestOf), likeness, onlyThere, gangHint);
    }

    /**
     * Groups pods that are many of a kind, such as those of a Deployment: of alike ones the hint is asked
     * about one, and the answer is that of all. It must read no more of a waiting pod than what makes two alike:
     *
     * <pre>
     *   reads of the pod                        alike by
     *   its tolerations                         pod -&gt; pod.pod().spec().tolerations()
     *   its labels, and who may go for it       pod -&gt; List.of(pod.pod().labels(), pod.pod().spec().priority())
     * </pre>
     *
     * @param likenessOf of a waiting pod, equal to that of each that is alike; asked when it begins to wait and when it has
     *     changed, so that nothing else may alter it
     */
    public WakeUp alike(Function<PendingPod, Object> likenessOf) {
        return new WakeUp(kinds, hint, interest, Optional.of(likenessOf), onlyThere, gangHint);
    }

    /** Says that the hint reads nothing of a waiting pod, so that all are alike. */
    public WakeUp allAlike() {
        return alike(_ -> kinds);
    }

    /**
     * Says that a yes means that the pod may fit on the node that has changed, or whose pod has, and nothing of others.
     * Pods that are alike are not woken then, if another plugin turns them away from there in any case. That one's changes
     * wake them as well from then on, as if they had been tried.
     */
    public WakeUp aboutNodeAlone() {
        return new WakeUp(kinds, hint, interest, likeness, true, gangHint);
    }

    /**
     * Adds a hint of its own for pods of gangs. What such a pod waits for depends on where the others of its gang would
     * go: to be near one of them, it may need a node where it does not fit by itself. So its hint must say yes wherever the pod may
     * pass now and did not before, beside any others that are not in place yet. Until this is said, each change of these kinds
     * wakes such pods, as far as it bears a sign of their interest.
     *
     * @param about what it reads of a waiting pod is no more than what makes two alike
     */
    public WakeUp ofGangs(Hint about) {
        return new WakeUp(kinds, hint, interest, likeness, onlyThere, about);
    }

    /** Says that the hint's no holds beside any others: it goes by the pod and the change, or others are never of help. */
    public WakeUp alsoOfGangs() {
        return ofGangs(hint);
    }

    /** The one that is asked about the pod. */
    public Hint hintFor(boolean isOfGang) {
        return isOfGang ? gangHint : hint;
    }

    /** Whether the change is of one of the kinds. */
    public boolean concerns(ClusterChange change) {
        return change.isAnyOf(kinds);
    }
}
