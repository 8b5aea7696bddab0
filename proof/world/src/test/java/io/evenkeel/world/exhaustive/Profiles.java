package io.evenkeel.world.exhaustive;

import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.config.Plugins;
import io.evenkeel.config.Plugins.EnabledPlugin;
import io.evenkeel.config.Plugins.PluginSet;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The plugins that have something to say here; to make all of them takes longer than a story. */
final class Profiles {
    private static final List<String> PLUGINS =
            List.of("PrioritySort", "NodeResourcesFit", "InterPodAffinity", "DefaultBinder");

    private Profiles() {}

    static SchedulerConfiguration few() {
        Plugins few = Plugins.NONE.with(
                ExtensionPoint.MULTI_POINT,
                new PluginSet(PLUGINS.stream().map(EnabledPlugin::of).toList(), List.of(PluginSet.ALL)));
        return SchedulerConfiguration.defaults().toBuilder()
                .profiles(
                        List.of(Profile.completed(Profile.DEFAULT_SCHEDULER_NAME, OptionalInt.empty(), few, Map.of())))
                .build();
    }
}
