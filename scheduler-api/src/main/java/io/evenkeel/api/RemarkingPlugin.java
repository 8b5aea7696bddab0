package io.evenkeel.api;

import io.evenkeel.model.PodCondition;
import java.util.List;

/**
 * A plugin that may have something to say of where a pod went, such as that a rule was relaxed for it: the user finds it in the
 * pod's status for as long as the pod is there.
 *
 * @since 0.1
 */
public interface RemarkingPlugin extends Plugin {

    /**
     * Conditions of types of the plugin's own; none for most pods. Those without a lastTransitionTime are written with the time of
     * writing, once the pod is bound.
     *
     * @param pod which counts on this node by now
     */
    List<PodCondition> remarks(CycleState state, PendingPod pod, String nodeName);
}
