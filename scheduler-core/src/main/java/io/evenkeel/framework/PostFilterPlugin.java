package io.evenkeel.framework;

import io.evenkeel.cluster.PodInfo;

/** Is asked when no node fits: it may make room. */
public interface PostFilterPlugin extends Plugin {

    /**
     * What came of it.
     *
     * @param nominatedNode where the pod may fit soon, empty where nowhere
     */
    record Result(Status status, String nominatedNode) {}

    Result postFilter(CycleState state, PodInfo pod, Diagnosis diagnosis);
}
