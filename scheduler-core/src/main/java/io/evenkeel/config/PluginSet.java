package io.evenkeel.config;

import java.util.List;

/** Plugins enabled at an extension point beside the default ones, and default ones disabled there. */
public record PluginSet(List<EnabledPlugin> enabled, List<String> disabled) {
    public static final PluginSet EMPTY = new PluginSet(List.of(), List.of());

    /** In {@code disabled}: all default plugins. */
    public static final String ALL = "*";

    public PluginSet {
        enabled = List.copyOf(enabled);
        disabled = List.copyOf(disabled);
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
