package io.evenkeel.model.policy;

import io.evenkeel.model.PluginObject;
import java.util.List;

/** A policy of a namespace, or of several. */
public sealed interface PolicyObject extends PluginObject permits PlacementPolicy, ClusterPlacementPolicy {

    PolicySpec spec();

    /** The domains for which pods need not wait as things stand; from its status. */
    List<RelaxedDomain> relaxed();
}
