package io.evenkeel.config;

import io.evenkeel.config.feature.FeatureGates;
import java.util.List;

/**
 * A completed {@code KubeSchedulerConfiguration}: every default is filled in.
 *
 * @param percentageOfNodesToScore 0 leaves the choice to the scheduler; a profile's own percentage goes first
 * @param featureGates set by a flag, not in the file
 */
public record SchedulerConfiguration(
        int parallelism,
        LeaderElection leaderElection,
        ClientConnection clientConnection,
        boolean enableProfiling,
        boolean enableContentionProfiling,
        int percentageOfNodesToScore,
        long podInitialBackoffSeconds,
        long podMaxBackoffSeconds,
        boolean delayCacheUntilActive,
        List<Profile> profiles,
        List<Extender> extenders,
        FeatureGates featureGates) {

    public static final String API_VERSION = "kubescheduler.config.k8s.io/v1";
    public static final String KIND = "KubeSchedulerConfiguration";

    public SchedulerConfiguration {
        profiles = List.copyOf(profiles);
        extenders = List.copyOf(extenders);
    }

    /** The configuration of a file with no field but apiVersion and kind. */
    public static SchedulerConfiguration defaults() {
        return new SchedulerConfiguration(
                16,
                LeaderElection.defaults(),
                ClientConnection.defaults(),
                true,
                true,
                0,
                1,
                10,
                false,
                List.of(Profile.defaults()),
                List.of(),
                FeatureGates.DEFAULTS);
    }

    public ConfigurationBuilder toBuilder() {
        return new ConfigurationBuilder(this);
    }
}
