package io.evenkeel.config;

import io.evenkeel.config.yaml.Fields;
import io.evenkeel.config.yaml.GoDuration;
import io.evenkeel.config.yaml.Range;
import java.time.Duration;

/** How the scheduler meets the API server and its own replicas. As in the reference, zero means the default. */
final class ConnectionBinder {
    /** Replicas retry with a jitter of so much, and client libraries refuse a deadline that one retry may pass. */
    private static final double RETRY_JITTER = 1.2;

    private ConnectionBinder() {}

    static ClientConnection clientConnection(Fields fields) {
        ClientConnection defaults = ClientConnection.defaults();
        double qps = fields.number("qps", 0);
        int burst = fields.int32("burst", 0, Range.int32From(0));
        return new ClientConnection(
                fields.string("kubeconfig", defaults.kubeconfig()),
                fields.string("acceptContentTypes", defaults.acceptContentTypes()),
                fields.nonEmpty("contentType", defaults.contentType()),
                qps == 0 ? defaults.qps() : (float) qps,
                burst == 0 ? defaults.burst() : burst);
    }

    static LeaderElection leaderElection(Fields fields) {
        LeaderElection defaults = LeaderElection.defaults();
        LeaderElection election = new LeaderElection(
                fields.bool("leaderElect", defaults.leaderElect()),
                duration(fields, "leaseDuration", defaults.leaseDuration()),
                duration(fields, "renewDeadline", defaults.renewDeadline()),
                duration(fields, "retryPeriod", defaults.retryPeriod()),
                fields.nonEmpty("resourceLock", defaults.resourceLock()),
                fields.nonEmpty("resourceName", defaults.resourceName()),
                fields.nonEmpty("resourceNamespace", defaults.resourceNamespace()));
        if (election.leaderElect()) {
            validate(election, fields);
        }
        return election;
    }

    private static Duration duration(Fields fields, String name, Duration fallback) {
        Duration duration = fields.duration(name, fallback);
        return duration.isZero() ? fallback : duration;
    }

    private static void validate(LeaderElection election, Fields fields) {
        requirePositive(fields, "leaseDuration", election.leaseDuration());
        requirePositive(fields, "renewDeadline", election.renewDeadline());
        requirePositive(fields, "retryPeriod", election.retryPeriod());
        String deadline = GoDuration.format(election.renewDeadline());
        if (election.leaseDuration().compareTo(election.renewDeadline()) <= 0) {
            fields.error("leaseDuration", "must be greater than renewDeadline, which is " + deadline);
        }
        double longestRetry = election.retryPeriod().toNanos() * RETRY_JITTER;
        if (election.renewDeadline().toNanos() <= longestRetry) {
            fields.error(
                    "renewDeadline", "must be greater than " + RETRY_JITTER + " times retryPeriod, got " + deadline);
        }
        if (!election.resourceLock().equals("leases")) {
            fields.error("resourceLock", "must be \"leases\", got \"" + election.resourceLock() + '"');
        }
    }

    private static void requirePositive(Fields fields, String name, Duration duration) {
        if (duration.isNegative()) {
            fields.error(name, "must be greater than zero, got " + GoDuration.format(duration));
        }
    }
}
