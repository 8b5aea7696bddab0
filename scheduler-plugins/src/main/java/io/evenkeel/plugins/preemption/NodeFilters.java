package io.evenkeel.plugins.preemption;

import io.evenkeel.framework.cycle.Status;
import io.evenkeel.model.Pod;

/** What a profile's filters say to a pod of one node after the other, as pods of that node leave and come back. */
sealed interface NodeFilters permits FollowedFilters, HypotheticalFilters {

    /** With all pods that are on the node. */
    void begin(int node);

    void remove(int row, Pod pod);

    void putBack(int row, Pod pod);

    Status verdict();

    /** Which filter the last verdict was from, in their order. */
    int position();

    /** All pods are on the node again. */
    void end();
}
