package io.evenkeel.whatif;

import io.evenkeel.model.Pod;

/** What the scheduler would do with a pod. */
public sealed interface Verdict {
    Pod pod();

    /** It goes to this node. */
    record Placed(Pod pod, String node) implements Verdict {}

    /**
     * It waits.
     *
     * @param message as its condition would say, without what would become of others for it
     */
    record Refused(Pod pod, String message) implements Verdict {}
}
