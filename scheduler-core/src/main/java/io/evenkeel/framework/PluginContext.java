package io.evenkeel.framework;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.config.PluginArgs;
import java.util.Optional;

/** What a plugin is made from. */
public record PluginContext(ClusterState cluster, Optional<PluginArgs> args) {

    /** The arguments of the plugin's own type, or its defaults where the profile gives none. */
    public <A extends PluginArgs> A argsOr(Class<A> type, A defaults) {
        return args.map(type::cast).orElse(defaults);
    }
}
