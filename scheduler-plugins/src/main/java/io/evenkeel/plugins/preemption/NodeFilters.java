package io.evenkeel.plugins.preemption;

import io.evenkeel.api.Status;

/** A profile's filters, asked about a pod on one node after the other, as pods of that node leave and come back. */
sealed interface NodeFilters permits FollowedFilters, HypotheticalFilters {

    /** With all pods that are on the node. */
    void begin(int node);

    /** The pod leaves that had this row when the node was begun. */
    void remove(int row);

    void putBack(int row);

    Status verdict();

    /** Which filter the last verdict was from, in their order. */
    int position();

    /** The plugin that the last verdict was from, if that turned the pod away. */
    String plugin();

    /** All pods are on the node again. */
    void end();
}
