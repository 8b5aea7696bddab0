package io.evenkeel.config;

import io.evenkeel.config.feature.Feature;
import java.util.List;
import java.util.Map;

/** The arguments of a plugin, completed with its defaults. */
public sealed interface PluginArgs
        permits CoschedulingArgs,
                DefaultPreemptionArgs,
                InterPodAffinityArgs,
                NodeAffinityArgs,
                NodeResourcesFitArgs,
                NodeResourcesBalancedAllocationArgs,
                PodTopologySpreadArgs,
                VolumeBindingArgs,
                DynamicResourcesArgs,
                GroupPlacementArgs,
                OpaqueArgs {

    /** The fields that are given and that need a gate, each with the gate's. */
    default Map<String, Feature> gatedFields() {
        return Map.of();
    }

    /** The fields that are given and that change nothing. */
    default List<String> fieldsWithoutEffect() {
        return List.of();
    }
}
