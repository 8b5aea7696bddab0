package io.evenkeel.config;

import java.util.Collections;
import java.util.EnumMap;
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
}
