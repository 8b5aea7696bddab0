package io.evenkeel.model.policy;

import io.evenkeel.model.PluginObject;

/** A policy of a namespace, or of several. */
public sealed interface PolicyObject extends PluginObject permits PlacementPolicy, ClusterPlacementPolicy {

    PolicySpec spec();
}
