package io.evenkeel.model;

import java.util.OptionalInt;

/** An object that pods name as their group: Kubernetes' own, or the one that the coscheduling plugin brought. */
public sealed interface GroupObject extends PluginObject permits PodGroup, CoschedulingPodGroup {

    /** How many of its pods are to be placed together at least; empty where each is placed by itself. */
    OptionalInt minimum();
}
