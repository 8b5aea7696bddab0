package io.evenkeel.config;

import io.evenkeel.config.Plugins.EnabledPlugin;
import io.evenkeel.config.Plugins.PluginSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The plugins that every profile starts from, and how a user's own choice is merged with them. */
public final class DefaultPlugins {
    /** The order is that of execution; a plugin without weight either never scores or scores with 1. */
    public static final List<EnabledPlugin> MULTI_POINT = List.of(
            EnabledPlugin.of("SchedulingGates"),
            EnabledPlugin.of("PrioritySort"),
            EnabledPlugin.of("NodeUnschedulable"),
            EnabledPlugin.of("NodeName"),
            new EnabledPlugin("TaintToleration", 3),
            new EnabledPlugin("NodeAffinity", 2),
            EnabledPlugin.of("NodePorts"),
            new EnabledPlugin("NodeResourcesFit", 1),
            EnabledPlugin.of("VolumeRestrictions"),
            EnabledPlugin.of("NodeVolumeLimits"),
            EnabledPlugin.of("VolumeBinding"),
            EnabledPlugin.of("VolumeZone"),
            new EnabledPlugin("PodTopologySpread", 2),
            new EnabledPlugin("InterPodAffinity", 2),
            new EnabledPlugin("DynamicResources", 2),
            EnabledPlugin.of("DefaultPreemption"),
            new EnabledPlugin("NodeResourcesBalancedAllocation", 1),
            new EnabledPlugin("ImageLocality", 1),
            EnabledPlugin.of("DefaultBinder"),
            EnabledPlugin.of("NodeDeclaredFeatures"));

    private DefaultPlugins() {}

    /**
     * The user's plugins with the default ones in their MultiPoint set. A default plugin that the user enables again
     * keeps its place and takes the user's weight; other plugins of the user follow. Completing twice changes nothing.
     */
    static Plugins completed(Plugins user) {
        PluginSet chosen = user.at(ExtensionPoint.MULTI_POINT);
        Map<String, EnabledPlugin> chosenByName = new LinkedHashMap<>();
        chosen.enabled().forEach(plugin -> chosenByName.put(plugin.name(), plugin));

        List<EnabledPlugin> merged = new ArrayList<>();
        Set<EnabledPlugin> placed = new HashSet<>();
        if (!chosen.disablesAll()) {
            for (EnabledPlugin plugin : MULTI_POINT) {
                if (chosen.disables(plugin.name())) {
                    continue;
                }
                EnabledPlugin replacement = chosenByName.getOrDefault(plugin.name(), plugin);
                merged.add(replacement);
                placed.add(replacement);
            }
        }
        for (EnabledPlugin plugin : chosen.enabled()) {
            if (!placed.contains(plugin)) {
                merged.add(plugin);
            }
        }
        return user.with(ExtensionPoint.MULTI_POINT, new PluginSet(merged, chosen.disabled()));
    }
}
