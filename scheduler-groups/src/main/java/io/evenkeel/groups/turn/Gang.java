package io.evenkeel.groups.turn;

import io.evenkeel.model.Pod;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Pods that are placed together or not at all, for which others may have to go.
 *
 * @param waiting the pods that have no place yet, at least one
 * @param needed how many of these must have one: the gang's minimum less the pods in place
 * @param isMember whether a pod in place is of this gang; it never goes for it
 * @param unitOf the name of those who go with the pod or not at all, as another gang that would be cut below its minimum;
 *     empty where the pod may go alone
 */
record Gang(List<Pod> waiting, int needed, Predicate<Pod> isMember, Function<Pod, Optional<String>> unitOf) {
    Gang {
        waiting = List.copyOf(waiting);
        if (needed < 1 || needed > waiting.size()) {
            throw new IllegalArgumentException(needed + " of " + waiting.size() + " waiting pods cannot be needed");
        }
    }

    /** Whether others may go for it: not if one of its pods lets no pod go. */
    boolean preempts() {
        return waiting.stream().allMatch(pod -> pod.spec().preempts());
    }

    /** Of the pods that wait; where it differs, the lowest counts. */
    int priority() {
        int lowest = Integer.MAX_VALUE;
        for (Pod pod : waiting) {
            lowest = Math.min(lowest, pod.spec().priority());
        }
        return lowest;
    }
}
