package io.evenkeel.cluster;

import io.evenkeel.model.Pod;

/** Reads pods before they have a place, for those who keep them until then. */
public interface PodAdmission {

    /** Reads a pod, without placing it. To be given back by {@link #dismiss}, once. */
    PodInfo admit(Pod pod);

    void dismiss(PodInfo pod);
}
