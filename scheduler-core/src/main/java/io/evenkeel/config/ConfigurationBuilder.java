package io.evenkeel.config;

import io.evenkeel.config.feature.FeatureGates;
import java.util.List;

/** A configuration in the making: what is not set stays as it is in the one that it was made from. */
public final class ConfigurationBuilder {
    private int parallelism;
    private LeaderElection leaderElection;
    private ClientConnection clientConnection;
    private boolean enableProfiling;
    private boolean enableContentionProfiling;
    private int percentageOfNodesToScore;
    private long podInitialBackoffSeconds;
    private long podMaxBackoffSeconds;
    private boolean delayCacheUntilActive;
    private List<Profile> profiles;
    private List<Extender> extenders;
    private FeatureGates featureGates;

    ConfigurationBuilder(SchedulerConfiguration from) {
        parallelism = from.parallelism();
        leaderElection = from.leaderElection();
        clientConnection = from.clientConnection();
        enableProfiling = from.enableProfiling();
        enableContentionProfiling = from.enableContentionProfiling();
        percentageOfNodesToScore = from.percentageOfNodesToScore();
        podInitialBackoffSeconds = from.podInitialBackoffSeconds();
        podMaxBackoffSeconds = from.podMaxBackoffSeconds();
        delayCacheUntilActive = from.delayCacheUntilActive();
        profiles = from.profiles();
        extenders = from.extenders();
        featureGates = from.featureGates();
    }

    public ConfigurationBuilder parallelism(int calls) {
        parallelism = calls;
        return this;
    }

    public ConfigurationBuilder leaderElection(LeaderElection election) {
        leaderElection = election;
        return this;
    }

    public ConfigurationBuilder clientConnection(ClientConnection connection) {
        clientConnection = connection;
        return this;
    }

    public ConfigurationBuilder profiling(boolean enabled, boolean ofContention) {
        enableProfiling = enabled;
        enableContentionProfiling = ofContention;
        return this;
    }

    public ConfigurationBuilder percentageOfNodesToScore(int percentage) {
        percentageOfNodesToScore = percentage;
        return this;
    }

    public ConfigurationBuilder backoff(long initialSeconds, long maxSeconds) {
        podInitialBackoffSeconds = initialSeconds;
        podMaxBackoffSeconds = maxSeconds;
        return this;
    }

    public ConfigurationBuilder delayCacheUntilActive(boolean delayed) {
        delayCacheUntilActive = delayed;
        return this;
    }

    public ConfigurationBuilder profiles(List<Profile> newProfiles) {
        profiles = newProfiles;
        return this;
    }

    public ConfigurationBuilder extenders(List<Extender> newExtenders) {
        extenders = newExtenders;
        return this;
    }

    public ConfigurationBuilder featureGates(FeatureGates gates) {
        featureGates = gates;
        return this;
    }

    public SchedulerConfiguration build() {
        return new SchedulerConfiguration(
                parallelism,
                leaderElection,
                clientConnection,
                enableProfiling,
                enableContentionProfiling,
                percentageOfNodesToScore,
                podInitialBackoffSeconds,
                podMaxBackoffSeconds,
                delayCacheUntilActive,
                profiles,
                extenders,
                featureGates);
    }
}
