package io.evenkeel.config;

import io.evenkeel.config.PluginArgs.CoschedulingArgs;
import io.evenkeel.config.PluginArgs.DefaultPreemptionArgs;
import io.evenkeel.config.PluginArgs.DynamicResourcesArgs;
import io.evenkeel.config.PluginArgs.GroupPlacementArgs;
import io.evenkeel.config.PluginArgs.InterPodAffinityArgs;
import io.evenkeel.config.PluginArgs.NodeAffinityArgs;
import io.evenkeel.config.PluginArgs.NodeResourcesBalancedAllocationArgs;
import io.evenkeel.config.PluginArgs.NodeResourcesFitArgs;
import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs;
import io.evenkeel.config.PluginArgs.VolumeBindingArgs;
import java.util.Arrays;
import java.util.Optional;

/** A built-in kind of plugin arguments: the plugin that takes them, and its defaults. */
public enum ArgsKind {
    COSCHEDULING("Coscheduling", CoschedulingArgs.defaults()),
    DEFAULT_PREEMPTION("DefaultPreemption", DefaultPreemptionArgs.defaults()),
    DYNAMIC_RESOURCES("DynamicResources", DynamicResourcesArgs.defaults()),
    GROUP_PLACEMENT("GroupPlacement", GroupPlacementArgs.defaults()),
    INTER_POD_AFFINITY("InterPodAffinity", InterPodAffinityArgs.defaults()),
    NODE_AFFINITY("NodeAffinity", NodeAffinityArgs.defaults()),
    NODE_RESOURCES_BALANCED_ALLOCATION(
            "NodeResourcesBalancedAllocation", NodeResourcesBalancedAllocationArgs.defaults()),
    NODE_RESOURCES_FIT("NodeResourcesFit", NodeResourcesFitArgs.defaults()),
    POD_TOPOLOGY_SPREAD("PodTopologySpread", PodTopologySpreadArgs.defaults()),
    VOLUME_BINDING("VolumeBinding", VolumeBindingArgs.defaults());

    private final String pluginName;

    @SuppressWarnings("ImmutableEnumChecker") // a record of values
    private final PluginArgs defaults;

    ArgsKind(String pluginName, PluginArgs defaults) {
        this.pluginName = pluginName;
        this.defaults = defaults;
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
        return defaults;
    }
}
