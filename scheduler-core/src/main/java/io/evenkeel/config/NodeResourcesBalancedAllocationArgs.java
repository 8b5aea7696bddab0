package io.evenkeel.config;

import java.util.List;

/** The resources to be used in balance; every weight is 1. */
public record NodeResourcesBalancedAllocationArgs(List<ResourceWeight> resources) implements PluginArgs {
    public NodeResourcesBalancedAllocationArgs {
        resources = List.copyOf(resources);
    }

    public static NodeResourcesBalancedAllocationArgs defaults() {
        return new NodeResourcesBalancedAllocationArgs(ResourceWeight.CPU_AND_MEMORY);
    }
}
