package io.evenkeel.config;

import java.util.List;
import java.util.function.ToIntFunction;

/** Plugins enabled at an extension point beside the default ones, and default ones disabled there. */
public record PluginSet(List<EnabledPlugin> enabled, List<String> disabled) {
    public static final PluginSet EMPTY = new PluginSet(List.of(), List.of());

    /** In {@code disabled}: all default plugins. */
    public static final String ALL = "*";

    public PluginSet {
        enabled = List.copyOf(enabled);
        disabled = List.copyOf(disabled);
    }

    /** Returns the set with the default weight of each plugin that has none. */
    PluginSet weighted(ToIntFunction<String> defaultWeight) {
        return new PluginSet(
                enabled.stream()
                        .map(plugin -> plugin.orWeighing(defaultWeight.applyAsInt(plugin.name())))
                        .toList(),
                disabled);
    }

    public boolean isEmpty() {
        return enabled.isEmpty() && disabled.isEmpty();
    }

    public boolean disables(String pluginName) {
        return disabled.contains(pluginName);
    }

    public boolean disablesAll() {
        return disabled.contains(ALL);
    }
}
