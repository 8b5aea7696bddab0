package io.evenkeel.tools.why;

import io.evenkeel.app.option.FeatureGateOptions;
import io.evenkeel.app.option.ServerOptions;
import io.evenkeel.app.option.ServerRelease;
import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.Plugins;
import io.evenkeel.config.Plugins.EnabledPlugin;
import io.evenkeel.config.Plugins.PluginSet;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.framework.run.ProfilesCheck;
import io.evenkeel.kube.client.ConnectionOptions;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** The profiles that judge pods where no configuration is given. */
public final class UsualProfiles {
    /** Has one profile for pods that name no scheduler, and one for pods of {@code evenkeel run}. */
    public static final SchedulerConfiguration CONFIGURATION = SchedulerConfiguration.defaults().toBuilder()
            .profiles(List.of(Profile.defaults(), Profile.defaults().named(Profile.OWN_NAME)))
            .build();

    /**
     * Adds plugins for PodGroups and policies, for clusters that may have these; the plugins have a say where there are any. A
     * kube-scheduler has one plugin for PodGroups, by a feature gate.
     */
    public static final SchedulerConfiguration OF_A_CLUSTER =
            of("GangScheduling", "PlacementPolicy", "GangScheduling", "Coscheduling");

    /** Adds gangs by an owner's annotation, for questions about pods that wait. */
    public static final SchedulerConfiguration OF_PODS_THAT_WAIT =
            of("GangScheduling", "PlacementPolicy", "GangScheduling", "Coscheduling", "GroupPlacement");

    private UsualProfiles() {}

    private static SchedulerConfiguration of(String others, String... own) {
        return SchedulerConfiguration.defaults().toBuilder()
                .profiles(List.of(withAlso(Profile.DEFAULT_SCHEDULER_NAME, others), withAlso(Profile.OWN_NAME, own)))
                .build();
    }

    private static Profile withAlso(String name, String... plugins) {
        PluginSet also =
                new PluginSet(Arrays.stream(plugins).map(EnabledPlugin::of).toList(), List.of());
        return Profile.completed(
                name, OptionalInt.empty(), Plugins.NONE.with(ExtensionPoint.MULTI_POINT, also), Map.of());
    }

    /**
     * Those of a file, or the usual ones without it, at the release of the server that they name.
     *
     * @param release of a server
     */
    public static SchedulerConfiguration ofFileFor(
            ServerOptions server,
            FeatureGateOptions features,
            Function<ConnectionOptions, Optional<ServerRelease>> release,
            Optional<Path> file,
            Optional<String> text,
            PluginRegistry registry) {
        return ofFileOr(
                file,
                text,
                CONFIGURATION,
                read -> features.gates(
                        () -> release.apply(server.over(read.clientConnection().kubeconfig()))),
                registry);
    }

    /**
     * Reads the profiles of a file; without one, returns these.
     *
     * @param text what was read of the file
     * @param gates by what was read, which says where the server is
     * @throws io.evenkeel.problem.ConfigurationException if the file cannot be understood, or names plugins that there
     *     are not
     */
    public static SchedulerConfiguration ofFileOr(
            Optional<Path> file,
            Optional<String> text,
            SchedulerConfiguration otherwise,
            Function<SchedulerConfiguration, FeatureGates> gates,
            PluginRegistry registry) {
        String name = file.map(Path::toString).orElse("");
        SchedulerConfiguration read =
                text.map(given -> new ConfigurationReader().read(name, given)).orElse(otherwise);
        SchedulerConfiguration configuration =
                read.toBuilder().featureGates(gates.apply(read)).build();
        text.ifPresent(given -> ProfilesCheck.require(name, given, configuration, registry));
        return configuration;
    }
}
