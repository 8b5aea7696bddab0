package io.evenkeel.tools.simulate;

import io.evenkeel.model.Pod;
import io.evenkeel.tools.why.Workload;
import java.util.Locale;
import java.util.Optional;

/**
 * A pod that is to be placed.
 *
 * @param instead the pod that it replaces, as that was on its node
 * @param after the key of a pod of its workload that has to be in place before it is made
 */
record Arrival(Pod pod, Workload workload, Cause cause, Optional<Pod> instead, Optional<String> after) {

    enum Cause {
        /** It waits in the cluster as it is. */
        WAITING,
        /** Its owner is to have it, and has not made it yet in the cluster as it is. */
        MISSING,
        /** A manifest or a greater scale brings it. */
        NEW,
        /** Its owner makes it again, as it was on a node that is drained or lost, or as all pods are placed again. */
        AGAIN,
        /** Its owner makes it again, as it had to go for one of higher priority. */
        PREEMPTED;

        String written() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Arrival of(Pod pod, Workload workload, Cause cause) {
        return new Arrival(pod, workload, cause, Optional.empty(), Optional.empty());
    }

    static Arrival instead(Pod gone, Pod pod, Workload workload, Cause cause) {
        return new Arrival(pod, workload, cause, Optional.of(gone), Optional.empty());
    }

    Arrival with(Pod itsPod) {
        return new Arrival(itsPod, workload, cause, instead, after);
    }

    /** Made only once another is in place. */
    Arrival after(String podKey) {
        return new Arrival(pod, workload, cause, instead, Optional.of(podKey));
    }
}
