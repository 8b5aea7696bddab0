package io.evenkeel.config.read;

import io.evenkeel.config.ClientConnection;
import io.evenkeel.config.LeaderElection;
import io.evenkeel.config.yaml.MappingFields;
import io.evenkeel.config.yaml.Range;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** The connection to the API server, and leader election. As in the reference, zero means the default. */
final class ConnectionBinder {
    private ConnectionBinder() {}

    static ClientConnection clientConnection(MappingFields fields) {
        ClientConnection defaults = ClientConnection.defaults();
        double qps = fields.number("qps", 0);
        if (Math.abs(qps) > Float.MAX_VALUE) {
            fields.error("qps", "must fit a float of 32 bits, got " + qps);
        }
        int burst = fields.int32("burst", 0, Range.int32From(0));
        return new ClientConnection(
                fields.string("kubeconfig", defaults.kubeconfig()),
                fields.string("acceptContentTypes", defaults.acceptContentTypes()),
                fields.nonEmpty("contentType", defaults.contentType()),
                qps == 0 ? defaults.qps() : (float) qps,
                burst == 0 ? defaults.burst() : burst);
    }

    static LeaderElection leaderElection(MappingFields fields) {
        LeaderElection defaults = LeaderElection.defaults();
        LeaderElection election = new LeaderElection(
                fields.bool("leaderElect", defaults.leaderElect()),
                duration(fields, "leaseDuration", defaults.leaseDuration()),
                duration(fields, "renewDeadline", defaults.renewDeadline()),
                duration(fields, "retryPeriod", defaults.retryPeriod()),
                fields.nonEmpty("resourceLock", defaults.resourceLock()),
                fields.nonEmpty("resourceName", defaults.resourceName()),
                fields.nonEmpty("resourceNamespace", defaults.resourceNamespace()));
        ElectionCheck.problems(election, UnaryOperator.identity())
                .forEach(problem -> fields.error(problem.field(), problem.message()));
        return election;
    }

    private static Duration duration(MappingFields fields, String name, Duration fallback) {
        Duration duration = fields.duration(name, fallback);
        return duration.isZero() ? fallback : duration;
    }
}
