package io.evenkeel.config;

import java.util.Arrays;
import java.util.Optional;

/** A built-in kind of plugin arguments: the plugin that takes them, and its defaults. */
public enum ArgsKind {
    COSCHEDULING("Coscheduling"),
    DEFAULT_PREEMPTION("DefaultPreemption"),
    DYNAMIC_RESOURCES("DynamicResources"),
    GROUP_PLACEMENT("GroupPlacement"),
    INTER_POD_AFFINITY("InterPodAffinity"),
    NODE_AFFINITY("NodeAffinity"),
    NODE_RESOURCES_BALANCED_ALLOCATION("NodeResourcesBalancedAllocation"),
    NODE_RESOURCES_FIT("NodeResourcesFit"),
    POD_TOPOLOGY_SPREAD("PodTopologySpread"),
    VOLUME_BINDING("VolumeBinding");

    private final String pluginName;

    ArgsKind(String pluginName) {
        this.pluginName = pluginName;
    }

    public static Optional<ArgsKind> ofPlugin(String pluginName) {
        return Arrays.stream(values())
                .filter(kind -> kind.pluginName.equals(pluginName))
                .findFirst();
    }

    /** The kind that {@code args.kind} names in a configuration. */
    public static Optional<ArgsKind> ofName(Object kindName) {
        return Arrays.stream(values())
                .filter(kind -> kind.kindName().equals(kindName))
                .findFirst();
    }

    public String pluginName() {
        return pluginName;
    }

    public String kindName() {
        return pluginName + "Args";
    }

    public PluginArgs defaults() {
        return switch (this) {
            case COSCHEDULING -> CoschedulingArgs.defaults();
            case DEFAULT_PREEMPTION -> DefaultPreemptionArgs.defaults();
            case DYNAMIC_RESOURCES -> DynamicResourcesArgs.defaults();
            case GROUP_PLACEMENT -> GroupPlacementArgs.defaults();
            case INTER_POD_AFFINITY -> InterPodAffinityArgs.defaults();
            case NODE_AFFINITY -> NodeAffinityArgs.defaults();
            case NODE_RESOURCES_BALANCED_ALLOCATION -> NodeResourcesBalancedAllocationArgs.defaults();
            case NODE_RESOURCES_FIT -> NodeResourcesFitArgs.defaults();
            case POD_TOPOLOGY_SPREAD -> PodTopologySpreadArgs.defaults();
            case VOLUME_BINDING -> VolumeBindingArgs.defaults();
        };
    }
}
