package io.evenkeel.config;

import io.evenkeel.config.PluginArgs.ArgsKind;
import io.evenkeel.config.PluginArgs.NodeAffinityArgs;
import io.evenkeel.config.PluginArgs.NodeResourcesFitArgs;
import io.evenkeel.config.Plugins.EnabledPlugin;
import io.evenkeel.config.Plugins.PluginSet;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeSelector;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The plugins, and their arguments, by which the pods of one {@code spec.schedulerName} are scheduled.
 *
 * @param plugins completed: the MultiPoint set holds the default plugins already
 * @param pluginArgs by plugin name; every enabled plugin with a built-in kind of arguments has an entry
 */
public record Profile(
        String schedulerName,
        OptionalInt percentageOfNodesToScore,
        Plugins plugins,
        Map<String, PluginArgs> pluginArgs) {

    private static final String NODE_AFFINITY = "NodeAffinity";

    public static final String DEFAULT_SCHEDULER_NAME = "default-scheduler";

    /** The default name of a profile that runs beside a kube-scheduler. */
    public static final String OWN_NAME = "evenkeel";

    public Profile {
        pluginArgs = Collections.unmodifiableMap(new LinkedHashMap<>(pluginArgs));
    }

    public static Profile defaults() {
        return completed(DEFAULT_SCHEDULER_NAME, OptionalInt.empty(), Plugins.NONE, Map.of());
    }

    /** With the default plugins, and the default arguments of enabled plugins that have none. */
    public static Profile completed(
            String schedulerName, OptionalInt percentageOfNodesToScore, Plugins user, Map<String, PluginArgs> args) {
        Plugins plugins = DefaultPlugins.completed(user);
        Map<String, PluginArgs> allArgs = new LinkedHashMap<>(args);
        for (String name : plugins.enabledNames()) {
            ArgsKind.ofPlugin(name).ifPresent(kind -> allArgs.putIfAbsent(name, kind.defaults()));
        }
        return new Profile(schedulerName, percentageOfNodesToScore, plugins, allArgs);
    }

    /** This profile for pods of another schedulerName. */
    public Profile named(String newSchedulerName) {
        return new Profile(newSchedulerName, percentageOfNodesToScore, plugins, pluginArgs);
    }

    /** This profile with some plugins left out at one point, if they were there. */
    public Profile withoutAt(ExtensionPoint point, Set<String> names) {
        PluginSet set = plugins.at(point);
        List<EnabledPlugin> enabled = set.enabled().stream()
                .filter(plugin -> !names.contains(plugin.name()))
                .toList();
        List<String> disabled = Stream.concat(set.disabled().stream(), names.stream())
                .distinct()
                .sorted()
                .toList();
        return new Profile(
                schedulerName,
                percentageOfNodesToScore,
                plugins.with(point, new PluginSet(enabled, disabled)),
                pluginArgs);
    }

    /** This profile, in which NodeResourcesFit passes over these resources and no others but by their prefix. */
    Profile ignoring(List<String> resources) {
        Map<String, PluginArgs> args = new LinkedHashMap<>(pluginArgs);
        args.replaceAll((_, of) -> of instanceof NodeResourcesFitArgs fit
                ? new NodeResourcesFitArgs(resources, fit.ignoredResourceGroups(), fit.scoringStrategy())
                : of);
        return new Profile(schedulerName, percentageOfNodesToScore, plugins, args);
    }

    /** The nodes to which {@code addedAffinity} keeps all of its pods; empty where nothing keeps them. */
    public Optional<NodeSelector> pool() {
        return argsOf(NODE_AFFINITY)
                .filter(_ -> has(NODE_AFFINITY, ExtensionPoint.FILTER))
                .flatMap(args -> ((NodeAffinityArgs) args).addedAffinity())
                .flatMap(NodeAffinity::required);
    }

    /** Whether the plugin is at this point, where MultiPoint has put it or the point itself. */
    public boolean has(String pluginName, ExtensionPoint point) {
        PluginSet set = plugins.at(point);
        return set.enables(pluginName)
                || (plugins.at(ExtensionPoint.MULTI_POINT).enables(pluginName)
                        && !set.disabled().contains(pluginName)
                        && !set.disabled().contains(PluginSet.ALL));
    }

    public Optional<PluginArgs> argsOf(String pluginName) {
        return Optional.ofNullable(pluginArgs.get(pluginName));
    }
}
