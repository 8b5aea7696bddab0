package io.evenkeel.config.file;

import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.config.PluginExpansion;
import io.evenkeel.config.Plugins;
import io.evenkeel.config.Plugins.EnabledPlugin;
import io.evenkeel.config.Plugins.PluginSet;
import io.evenkeel.config.SchedulerConfiguration;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The plugins that a profile enables and disables. */
final class PluginsBinder {
    /** Plugins of former versions of the configuration. */
    private static final Set<String> REMOVED = Set.of("AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits");

    private PluginsBinder() {}

    static Plugins bind(MappingFields fields) {
        Map<ExtensionPoint, PluginSet> sets = new EnumMap<>(ExtensionPoint.class);
        for (ExtensionPoint point : ExtensionPoint.values()) {
            fields.mapping(point.configName(), PluginsBinder::set).ifPresent(set -> sets.put(point, set));
        }
        return new Plugins(sets);
    }

    private static PluginSet set(MappingFields fields) {
        Set<String> seen = new HashSet<>();
        List<EnabledPlugin> enabled = fields.mappings("enabled", entry -> {
            EnabledPlugin plugin = plugin(entry);
            refuseRemoved(plugin.name(), entry);
            if (!plugin.name().isEmpty() && !seen.add(plugin.name())) {
                entry.error("name", "\"" + plugin.name() + "\" is enabled twice");
            }
            return plugin;
        });
        List<EnabledPlugin> disabled = fields.mappings("disabled", PluginsBinder::plugin);
        return new PluginSet(enabled, disabled.stream().map(EnabledPlugin::name).toList());
    }

    /** A weight may be negative, within limits that {@link PluginExpansion} checks: it turns a plugin's preference round. */
    private static EnabledPlugin plugin(MappingFields fields) {
        return new EnabledPlugin(fields.required("name"), fields.int32("weight", 0, Range.INT32));
    }

    static void refuseRemoved(String pluginName, MappingFields fields) {
        if (REMOVED.contains(pluginName)) {
            fields.error(
                    "name", pluginName + " no longer exists in " + SchedulerConfiguration.API_VERSION + "; remove it");
        }
    }
}
