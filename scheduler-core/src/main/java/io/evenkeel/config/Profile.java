package io.evenkeel.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

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

    public static final String DEFAULT_SCHEDULER_NAME = "default-scheduler";

    /** What the profile is called that stands beside a kube-scheduler, where nobody says otherwise. */
    public static final String OWN_NAME = "evenkeel";

    public Profile {
        pluginArgs = Collections.unmodifiableMap(new LinkedHashMap<>(pluginArgs));
    }

    public static Profile defaults() {
        Plugins plugins = DefaultPlugins.completed(Plugins.NONE);
        Map<String, PluginArgs> args = new LinkedHashMap<>();
        ArgsKind.addDefaults(plugins, args);
        return new Profile(DEFAULT_SCHEDULER_NAME, OptionalInt.empty(), plugins, args);
    }

    /** The same for pods of another schedulerName. */
    public Profile named(String newSchedulerName) {
        return new Profile(newSchedulerName, percentageOfNodesToScore, plugins, pluginArgs);
    }

    public Optional<PluginArgs> argsOf(String pluginName) {
        return Optional.ofNullable(pluginArgs.get(pluginName));
    }
}
