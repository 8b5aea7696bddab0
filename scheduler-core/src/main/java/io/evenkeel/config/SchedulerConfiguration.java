package io.evenkeel.config;

import io.evenkeel.config.SchedulerConfiguration.ClientConnection;
import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.model.Pod;
import java.time.Duration;
import java.util.List;

/**
 * A completed {@code KubeSchedulerConfiguration}: every default is filled in.
 *
 * @param percentageOfNodesToScore 0 leaves the choice to the scheduler; a profile's own percentage goes first
 * @param shards Evenkeel's own: a kube-scheduler refuses the field
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
        ShardSettings shards,
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
                ShardSettings.NONE,
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

    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Leader election among replicas: one schedules, the others stand by. */
    public record LeaderElection(
            boolean leaderElect,
            Duration leaseDuration,
            Duration renewDeadline,
            Duration retryPeriod,
            String resourceLock,
            String resourceName,
            String resourceNamespace) {

        public static LeaderElection defaults() {
            return new LeaderElection(
                    true,
                    Duration.ofSeconds(15),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(2),
                    "leases",
                    "kube-scheduler",
                    "kube-system");
        }
    }

    /**
     * The connection to the API server.
     *
     * @param kubeconfig path of a kubeconfig file; empty for the in-cluster configuration
     * @param qps requests a second on average; negative for no limit
     */
    public record ClientConnection(
            String kubeconfig, String acceptContentTypes, String contentType, float qps, int burst) {

        public static ClientConnection defaults() {
            return new ClientConnection("", "", "application/vnd.kubernetes.protobuf", 50, 100);
        }
    }

    /** A configuration in the making: what is not set stays as it is in the one that it was made from. */
    public static final class Builder {
        private final SchedulerConfiguration from;
        private int parallelism;
        private LeaderElection leaderElection;
        private ClientConnection clientConnection;
        private boolean enableProfiling;
        private boolean enableContentionProfiling;
        private List<Profile> profiles;
        private List<Extender> extenders;
        private ShardSettings shards;
        private FeatureGates featureGates;

        Builder(SchedulerConfiguration from) {
            this.from = from;
            parallelism = from.parallelism();
            leaderElection = from.leaderElection();
            clientConnection = from.clientConnection();
            enableProfiling = from.enableProfiling();
            enableContentionProfiling = from.enableContentionProfiling();
            profiles = from.profiles();
            extenders = from.extenders();
            shards = from.shards();
            featureGates = from.featureGates();
        }

        public Builder parallelism(int calls) {
            parallelism = calls;
            return this;
        }

        public Builder leaderElection(LeaderElection election) {
            leaderElection = election;
            return this;
        }

        public Builder clientConnection(ClientConnection connection) {
            clientConnection = connection;
            return this;
        }

        public Builder profiling(boolean enabled, boolean ofContention) {
            enableProfiling = enabled;
            enableContentionProfiling = ofContention;
            return this;
        }

        public Builder profiles(List<Profile> newProfiles) {
            profiles = newProfiles;
            return this;
        }

        public Builder extenders(List<Extender> newExtenders) {
            extenders = newExtenders;
            return this;
        }

        public Builder shards(ShardSettings settings) {
            shards = settings;
            return this;
        }

        public Builder featureGates(FeatureGates gates) {
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
                    from.percentageOfNodesToScore(),
                    from.podInitialBackoffSeconds(),
                    from.podMaxBackoffSeconds(),
                    from.delayCacheUntilActive(),
                    profiles,
                    extenders,
                    shards,
                    featureGates);
        }
    }
}
