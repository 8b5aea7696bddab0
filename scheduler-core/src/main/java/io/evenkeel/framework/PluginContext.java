package io.evenkeel.framework;

import io.evenkeel.api.WaitingPods;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.config.PluginArgs;
import io.evenkeel.config.feature.FeatureGates;
import java.util.Optional;

/**
 * The parts that a plugin is made from.
 *
 * @param waitingPods of all profiles, to be allowed or rejected
 * @param members of the groups that pods are placed in
 */
public record PluginContext(
        ClusterView cluster, Optional<PluginArgs> args, WaitingPods waitingPods, GroupMembers members) {

    /** A context in which no pod is in a group. */
    public PluginContext(ClusterView cluster, Optional<PluginArgs> args, WaitingPods waitingPods) {
        this(cluster, args, waitingPods, GroupMembers.NONE);
    }

    /** A context in which no pod ever waits for a permit either. */
    public PluginContext(ClusterView cluster, Optional<PluginArgs> args) {
        this(cluster, args, WaitingPods.NONE);
    }

    /** The feature gates as configured. */
    public FeatureGates featureGates() {
        return cluster.featureGates();
    }

    /** The arguments of the plugin's own type, or its defaults where the profile gives none. */
    public <A extends PluginArgs> A argsOr(Class<A> type, A defaults) {
        return args.map(type::cast).orElse(defaults);
    }
}
