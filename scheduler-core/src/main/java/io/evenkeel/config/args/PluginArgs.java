package io.evenkeel.config.args;

/** The arguments of a plugin, completed with its defaults. */
public sealed interface PluginArgs
        permits DefaultPreemptionArgs,
                InterPodAffinityArgs,
                NodeAffinityArgs,
                NodeResourcesFitArgs,
                NodeResourcesBalancedAllocationArgs,
                PodTopologySpreadArgs,
                VolumeBindingArgs,
                DynamicResourcesArgs,
                OpaqueArgs {}
