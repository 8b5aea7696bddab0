package io.evenkeel.config.read;

import io.evenkeel.config.args.ArgsKind;
import io.evenkeel.config.args.PluginArgs;
import io.evenkeel.config.yaml.MappingFields;

/** Arguments of the built-in kinds. */
final class ArgsBinder {
    private ArgsBinder() {}

    static PluginArgs bind(ArgsKind kind, MappingFields args) {
        return switch (kind) {
            case COSCHEDULING -> CoschedulingBinder.args(args);
            case DEFAULT_PREEMPTION -> SimpleArgs.preemption(args);
            case DYNAMIC_RESOURCES -> SimpleArgs.dynamicResources(args);
            case GROUP_PLACEMENT -> GroupPlacementBinder.args(args);
            case INTER_POD_AFFINITY -> SimpleArgs.podAffinity(args);
            case NODE_AFFINITY -> NodeAffinityBinder.args(args);
            case NODE_RESOURCES_BALANCED_ALLOCATION -> NodeResourcesBinder.balancedAllocation(args);
            case NODE_RESOURCES_FIT -> NodeResourcesBinder.fit(args);
            case POD_TOPOLOGY_SPREAD -> TopologySpreadBinder.args(args);
            case VOLUME_BINDING -> SimpleArgs.volumeBinding(args);
        };
    }
}
