package io.evenkeel.framework;

import io.evenkeel.api.PreparingPlugin;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import java.util.List;

/** A preparing plugin that can tell what becomes of its objects: where pods are placed in thought, nobody prepares them. */
public interface ForeseeingPlugin extends PreparingPlugin {

    /** The objects that the scheduler writes before it binds the pod to this node, as they are then. */
    List<KubernetesObject> written(Pod pod, int node);

    /** The objects that others make of those for the pod, as they are once it is bound. */
    List<KubernetesObject> prepared(Pod pod);
}
