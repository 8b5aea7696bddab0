package io.evenkeel.framework;

import io.evenkeel.model.Pod;
import java.util.Optional;

/**
 * Says which pods are placed together: a part that a plugin of any extension point may have. Where several of a profile know a
 * group for a pod, the first one's counts, in the order in which the profile enables them.
 */
public interface GroupPlugin {
    /** That of the plugin. */
    String name();

    /**
     * The group that the pod is one of; empty where it is placed by itself. Goes by the pod alone, and is asked of pods that wait
     * and of pods in place, whoever has placed them.
     */
    Optional<GroupKey> groupOf(Pod pod);

    /**
     * On which terms the pods of its group are placed, as the cluster is now; empty where each is placed by itself after all.
     *
     * @param waiting the one of the group that is next
     */
    Optional<GroupTerms> termsFor(Pod waiting);

    /**
     * Whether the plugin may keep the pod out of the queue because others of its group are missing, as it does with all of them
     * then. Not where it has something against this one alone, as a value in it that means nothing.
     */
    default boolean waitsForOthers(Pod gated) {
        return true;
    }
}
