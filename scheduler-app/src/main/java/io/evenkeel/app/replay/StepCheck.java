package io.evenkeel.app.replay;

import io.evenkeel.cluster.ClusterState;

/** Something that must hold after each step of a replay; throws where it does not. */
@FunctionalInterface
public interface StepCheck {
    StepCheck NONE = (step, cluster) -> {};

    void after(String step, ClusterState cluster);
}
