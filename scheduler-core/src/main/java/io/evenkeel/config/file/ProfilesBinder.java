package io.evenkeel.config.file;

import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.config.PluginArgs;
import io.evenkeel.config.PluginExpansion;
import io.evenkeel.config.Plugins;
import io.evenkeel.config.Plugins.EnabledPlugin;
import io.evenkeel.config.Plugins.PluginSet;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The profiles: each has its own name, and all have the same QueueSort plugin, as they share one queue. */
final class ProfilesBinder {
    private final boolean single;
    private final List<Profile> bound = new ArrayList<>();

    private ProfilesBinder(boolean single) {
        this.single = single;
    }

    /** None where none is given. */
    static List<Profile> bind(MappingFields fields) {
        boolean single = fields.size("profiles") == 1;
        return fields.mappings("profiles", new ProfilesBinder(single)::profile);
    }

    private Profile profile(MappingFields fields) {
        String name = name(fields);
        Plugins plugins = fields.mapping("plugins", PluginsBinder::bind).orElse(Plugins.NONE);
        Map<String, PluginArgs> args = PluginConfigBinder.bind(fields);
        Profile profile =
                Profile.completed(name, fields.optionalInt32("percentageOfNodesToScore", Range.PERCENT), plugins, args);
        requireSameQueueSort(profile, fields);
        bound.add(profile);
        return profile;
    }

    /** Only a single profile may go without a name. */
    private String name(MappingFields fields) {
        if (single && !fields.has("schedulerName")) {
            return Profile.DEFAULT_SCHEDULER_NAME;
        }
        String name = fields.required("schedulerName");
        if (!name.isEmpty()
                && bound.stream().anyMatch(other -> other.schedulerName().equals(name))) {
            fields.error("schedulerName", "\"" + name + "\" is the name of another profile");
        }
        return name;
    }

    private void requireSameQueueSort(Profile profile, MappingFields fields) {
        PluginSet queueSort = profile.plugins().at(ExtensionPoint.QUEUE_SORT);
        if (bound.isEmpty()) {
            if (queueSort.enabled().size() > 1) {
                fields.error("plugins.queueSort", "only one plugin can sort the queue");
            }
            return;
        }
        Profile first = bound.getFirst();
        PluginSet common = first.plugins().at(ExtensionPoint.QUEUE_SORT);
        if (!common.equals(queueSort)) {
            fields.error("plugins.queueSort", "must be the same in all profiles");
        }
        for (EnabledPlugin plugin : common.enabled()) {
            if (!Objects.equals(first.argsOf(plugin.name()), profile.argsOf(plugin.name()))) {
                fields.error("pluginConfig", "args of " + plugin.name() + " must be the same in all profiles");
            }
        }
    }

    /** The plugins that a profile enables and disables. */
    static final class PluginsBinder {
        /** Plugins of former versions of the configuration. */
        private static final Set<String> REMOVED =
                Set.of("AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits");

        private PluginsBinder() {}

        static Plugins bind(MappingFields fields) {
            Map<ExtensionPoint, PluginSet> sets = new EnumMap<>(ExtensionPoint.class);
            for (ExtensionPoint point : ExtensionPoint.values()) {
                fields.mapping(point.fieldName(), PluginsBinder::set).ifPresent(set -> sets.put(point, set));
            }
            placeGangsAtMultiPoint(sets);
            return new Plugins(sets);
        }

        /**
         * Takes the Coscheduling of scheduler-plugins, which works at other points, for the one of this name here: that works at
         * MultiPoint. It sorts no queue, as a gang leaves the queue whole, so the default plugin goes on sorting it.
         */
        private static void placeGangsAtMultiPoint(Map<ExtensionPoint, PluginSet> sets) {
            EnabledPlugin gangs = EnabledPlugin.of(NamedPlugins.COSCHEDULING);
            boolean named = false;
            for (ExtensionPoint point : NamedPlugins.POINTS_OF_COSCHEDULING) {
                PluginSet set = sets.getOrDefault(point, PluginSet.EMPTY);
                if (set.enables(gangs.name())) {
                    named = true;
                    boolean sortedQueue = point == ExtensionPoint.QUEUE_SORT;
                    sets.put(point, set.without(gangs.name(), sortedQueue ? List.of() : set.disabled()));
                }
            }
            PluginSet multiPoint = sets.getOrDefault(ExtensionPoint.MULTI_POINT, PluginSet.EMPTY);
            if (named || multiPoint.enables(gangs.name())) {
                List<EnabledPlugin> enabled = new ArrayList<>(multiPoint.enabled());
                if (!multiPoint.enables(gangs.name())) {
                    enabled.add(gangs);
                }
                sets.put(
                        ExtensionPoint.MULTI_POINT,
                        new PluginSet(
                                enabled,
                                multiPoint.disabled().stream()
                                        .filter(name -> !name.equals(NamedPlugins.QUEUE_SORT))
                                        .toList()));
            }
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
            return new PluginSet(
                    enabled, disabled.stream().map(EnabledPlugin::name).toList());
        }

        /** A weight may be negative, within limits that {@link PluginExpansion} checks: it turns a plugin's preference round. */
        private static EnabledPlugin plugin(MappingFields fields) {
            return new EnabledPlugin(fields.required("name"), fields.int32("weight", 0, Range.INT32));
        }

        static void refuseRemoved(String pluginName, MappingFields fields) {
            if (REMOVED.contains(pluginName)) {
                fields.error(
                        "name",
                        pluginName + " no longer exists in " + SchedulerConfiguration.API_VERSION + "; remove it");
            }
        }
    }
}
