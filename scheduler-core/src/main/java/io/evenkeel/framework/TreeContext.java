package io.evenkeel.framework;

import io.evenkeel.api.PendingPod;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.PluginContext;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.WaitingPods;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.PluginArgs;
import io.evenkeel.config.PluginArgs.OpaqueArgs;
import io.evenkeel.framework.GroupPlugin.GroupMembers;
import io.evenkeel.framework.cycle.LesserPods;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The parts that a plugin of the tree is made from: those of the API, in the tree's own types.
 *
 * @param waitingPods of all profiles, to be allowed or rejected
 * @param members of the groups that pods are placed in
 */
public record TreeContext(
        ClusterView cluster, Optional<PluginArgs> typedArgs, WaitingPods waitingPods, GroupMembers members)
        implements PluginContext {

    /** A context in which no pod waits for a permit, and none is in a group. */
    public TreeContext(ClusterView cluster, Optional<PluginArgs> typedArgs) {
        this(cluster, typedArgs, WaitingPods.NONE, GroupMembers.NONE);
    }

    public static <P extends Plugin> PluginFactory factory(
            String name, Class<P> type, Function<TreeContext, P> create) {
        return PluginFactory.of(name, type, context -> create.apply((TreeContext) context));
    }

    public FeatureGates featureGates() {
        return cluster.featureGates();
    }

    /** The arguments of the plugin's own type, or its defaults where the profile gives none. */
    public <A extends PluginArgs> A argsOr(Class<A> type, A defaults) {
        return typedArgs.map(type::cast).orElse(defaults);
    }

    @Override
    public Map<String, Object> args() {
        return typedArgs
                .filter(OpaqueArgs.class::isInstance)
                .map(args -> ((OpaqueArgs) args).fields())
                .orElse(Map.of());
    }

    @Override
    public boolean isFeatureOn(String gate) {
        return featureGates().isOn(gate);
    }

    @Override
    public boolean hasPodsToPreempt(PendingPod waiting) {
        return LesserPods.of(cluster).mayGoFor(waiting.pod());
    }
}
