package io.evenkeel.config;

import java.time.Duration;

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
