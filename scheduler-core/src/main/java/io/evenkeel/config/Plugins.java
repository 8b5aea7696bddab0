package io.evenkeel.config;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

/** Plugins enabled and disabled at each extension point of a profile; points without any are left out. */
public record Plugins(Map<ExtensionPoint, PluginSet> sets) {
    public static final Plugins NONE = new Plugins(Map.of());

    public Plugins {
        EnumMap<ExtensionPoint, PluginSet> spoken = new EnumMap<>(ExtensionPoint.class);
        sets.forEach((point, set) -> {
            if (!set.isEmpty()) {
                spoken.put(point, set);
            }
        });
        sets = Collections.unmodifiableMap(spoken);
    }

    public PluginSet at(ExtensionPoint point) {
        return sets.getOrDefault(point, PluginSet.EMPTY);
    }

    /** Returns the plugins with the default weight of each that has none. */
    public Plugins weighted(ToIntFunction<String> defaultWeight) {
        EnumMap<ExtensionPoint, PluginSet> weighted = new EnumMap<>(ExtensionPoint.class);
        sets.forEach((point, set) -> weighted.put(point, set.weighted(defaultWeight)));
        return new Plugins(weighted);
    }

    /** The plugins enabled at any point, in the order of their names. */
    public SortedSet<String> enabledNames() {
        SortedSet<String> names = new TreeSet<>();
        sets.values().forEach(set -> set.enabled().forEach(plugin -> names.add(plugin.name())));
        return names;
    }

    public Plugins with(ExtensionPoint point, PluginSet set) {
        EnumMap<ExtensionPoint, PluginSet> changed = new EnumMap<>(ExtensionPoint.class);
        changed.putAll(sets);
        changed.put(point, set);
        return new Plugins(changed);
    }

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

        public boolean enables(String pluginName) {
            return enabled.stream().anyMatch(plugin -> plugin.name().equals(pluginName));
        }

        /** Returns the set without an enabled plugin, and with others disabled. */
        public PluginSet without(String pluginName, List<String> othersDisabled) {
            return new PluginSet(
                    enabled.stream()
                            .filter(plugin -> !plugin.name().equals(pluginName))
                            .toList(),
                    othersDisabled);
        }

        public boolean disables(String pluginName) {
            return disabled.contains(pluginName);
        }

        public boolean disablesAll() {
            return disabled.contains(ALL);
        }
    }

    /**
     * A plugin, as a list of enabled ones names it.
     *
     * @param weight of its scores; 0 where none is given, which counts as the plugin's default weight wherever it scores
     */
    public record EnabledPlugin(String name, int weight) {
        public static EnabledPlugin of(String name) {
            return new EnabledPlugin(name, 0);
        }

        /** Returns the plugin with this weight where it has none. */
        EnabledPlugin orWeighing(int defaultWeight) {
            return weight == 0 ? new EnabledPlugin(name, defaultWeight) : this;
        }
    }
}
