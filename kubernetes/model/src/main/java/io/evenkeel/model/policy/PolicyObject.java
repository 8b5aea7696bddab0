package io.evenkeel.model.policy;

import io.evenkeel.model.PluginObject;

/** A policy of a namespace, or of several. */
public sealed interface PolicyObject extends PluginObject permits PlacementPolicy, ClusterPlacementPolicy {

    PolicySpec spec();

    PolicyObject with(PolicySpec another);

    PolicyStatus status();

    /** Whether this is the same policy as that was, and its spec is. */
    default boolean isOfTheSameSpec(PolicyObject before) {
        return meta().uid().equals(before.meta().uid())
                && meta().key().equals(before.meta().key())
                && spec().equals(before.spec());
    }

    /** Whether this is the same policy as that was, and asks for the same of pods: only what is said of it to people may be another. */
    default boolean asksForTheSameAs(PolicyObject before) {
        return isOfTheSameSpec(before) && status().placesPodsAs(before.status());
    }
}
