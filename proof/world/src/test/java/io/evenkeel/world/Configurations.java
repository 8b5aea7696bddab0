package io.evenkeel.world;

import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.Extender;
import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.PluginArgs;
import io.evenkeel.config.PluginArgs.DynamicResourcesArgs;
import io.evenkeel.config.Plugins;
import io.evenkeel.config.Plugins.EnabledPlugin;
import io.evenkeel.config.Plugins.PluginSet;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.config.ShardSettings;
import io.evenkeel.groups.plugin.GroupPlacement;
import io.evenkeel.plugins.devices.DynamicResources;
import io.evenkeel.policies.PlacementPolicyPlugin;
import io.evenkeel.world.life.Features;
import io.evenkeel.world.life.Life;
import io.evenkeel.world.plugin.WhimsicalPlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * How the replicas of a world are configured.
 *
 * @param level whose answers they give
 * @param anyRate whether clocks may run at any rate
 * @param twoProfiles whether pods may ask for either of two
 * @param features what there is that needs to be configured
 * @param extenders that have a say
 */
record Configurations(
        CompatibilityLevel level,
        boolean anyRate,
        boolean twoProfiles,
        Set<Features> features,
        List<Extender> extenders) {
    private static final String COSCHEDULING = "Coscheduling";

    /** Devices that do not get ready are given up while somebody looks. */
    private static final PluginArgs DEVICES =
            new DynamicResourcesArgs(DynamicResourcesArgs.defaults().filterTimeout(), Duration.ofSeconds(20));

    /** What they are judged by: whom extenders turn away nobody foretells, and who needs them is known. */
    SchedulerConfiguration usual() {
        return of(false);
    }

    /** The same where nodes are parted among engines. */
    SchedulerConfiguration parted(ShardSettings shards) {
        return usual().toBuilder().shards(shards).build();
    }

    /** The same and a plugin with whims in each profile. */
    SchedulerConfiguration whimsical() {
        return of(true);
    }

    private SchedulerConfiguration of(boolean whimsical) {
        boolean haveDevices = features.contains(Features.DEVICES);
        Profile first = Profile.completed(
                Profile.DEFAULT_SCHEDULER_NAME,
                OptionalInt.empty(),
                plugins(whimsical),
                haveDevices ? Map.of(DynamicResources.NAME, DEVICES) : Map.of());
        return SchedulerConfiguration.defaults().toBuilder()
                .featureGates(FeatureGates.with(level, haveDevices ? Map.of("DRADeviceTaintRules", true) : Map.of()))
                .profiles(twoProfiles ? List.of(first, first.named(Life.SECOND_PROFILE)) : List.of(first))
                .leaderElection(election())
                .extenders(extenders)
                .build();
    }

    /** A lease keeps two replicas apart as long as no clock runs more than lease/deadline times as fast as another. */
    private LeaderElection election() {
        LeaderElection usual = LeaderElection.defaults();
        return anyRate
                ? new LeaderElection(
                        true,
                        Duration.ofSeconds(45),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(2),
                        usual.resourceLock(),
                        usual.resourceName(),
                        usual.resourceNamespace())
                : usual;
    }

    private Plugins plugins(boolean isWhimsical) {
        EnabledPlugin whimsical = EnabledPlugin.of(WhimsicalPlugin.NAME);
        List<EnabledPlugin> more = new ArrayList<>();
        if (features.contains(Features.GROUPS)) {
            if (features.contains(Features.SHARDS)) {
                more.add(EnabledPlugin.of(COSCHEDULING));
            }
            more.add(EnabledPlugin.of(GroupPlacement.NAME));
        }
        if (features.contains(Features.POLICIES)) {
            more.add(EnabledPlugin.of(PlacementPolicyPlugin.NAME));
        }
        if (isWhimsical) {
            more.add(whimsical);
        }
        Plugins plugins = more.isEmpty() ? Plugins.NONE : Plugins.NONE.with(ExtensionPoint.MULTI_POINT, enabled(more));
        return isWhimsical
                ? plugins.with(
                        ExtensionPoint.BIND,
                        new PluginSet(List.of(whimsical, EnabledPlugin.of("DefaultBinder")), List.of(PluginSet.ALL)))
                : plugins;
    }

    private static PluginSet enabled(List<EnabledPlugin> plugins) {
        return new PluginSet(plugins, List.of());
    }
}
