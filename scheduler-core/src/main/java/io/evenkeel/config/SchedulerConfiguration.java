package io.evenkeel.config;

import io.evenkeel.config.feature.FeatureGates;
import io.evenkeel.model.Pod;
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

    /** Whether extenders have a say in where the pod goes, or in who goes for it, before it is placed. */
    public boolean needsExtenders(Pod pod) {
        return isAdvisedByExtender(pod) || isPreemptedForByExtender(pod);
    }

    /** Whether an extender has a say in where the pod goes. */
    public boolean isAdvisedByExtender(Pod pod) {
        return extenders.stream().anyMatch(extender -> extender.advises() && extender.isInterestedIn(pod));
    }

    /** Whether an extender has a say in which pods go for this one. */
    public boolean isPreemptedForByExtender(Pod pod) {
        return extenders.stream().anyMatch(extender -> extender.preempts() && extender.isInterestedIn(pod));
    }

    /** Whether an extender wants to bind the pod. */
    public boolean isBoundByExtender(Pod pod) {
        return extenders.stream().anyMatch(extender -> extender.binds() && extender.isInterestedIn(pod));
    }

    /**
     * The profiles as they are run: resources that extenders manage and want the scheduler to ignore take the place of those
     * that NodeResourcesFit is told to ignore, as in the reference.
     */
    public List<Profile> effectiveProfiles() {
        List<String> ignored = extenders.stream()
                .flatMap(extender -> extender.managedResources().stream())
                .filter(Extender.ManagedResource::ignoredByScheduler)
                .map(Extender.ManagedResource::name)
                .toList();
        return ignored.isEmpty()
                ? profiles
                : profiles.stream().map(profile -> profile.ignoring(ignored)).toList();
    }

    public ConfigurationBuilder toBuilder() {
        return new ConfigurationBuilder(this);
    }
}
