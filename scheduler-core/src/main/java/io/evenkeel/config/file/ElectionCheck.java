package io.evenkeel.config.file;

import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The check of leader election: all that kube-scheduler refuses, and durations that a Lease cannot hold. A Lease counts in
 * whole seconds, an int32 of them, and two replicas would lead where it says 0.
 */
public final class ElectionCheck {
    /** The jitter of retries; client libraries refuse a deadline that one retry may pass. */
    private static final double RETRY_JITTER = 1.2;

    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);
    private static final Duration LONGEST_LEASE = Duration.ofSeconds(Integer.MAX_VALUE);

    private final LeaderElection election;
    private final UnaryOperator<String> called;
    private final List<Problem> problems = new ArrayList<>();

    public record Problem(String field, String message) {}

    private ElectionCheck(LeaderElection election, UnaryOperator<String> called) {
        this.election = election;
        this.called = called;
    }

    /**
     * All errors; none where leader election is off.
     *
     * @param called the user's name for a field, such as a flag
     */
    public static List<Problem> problems(LeaderElection election, UnaryOperator<String> called) {
        ElectionCheck check = new ElectionCheck(election, called);
        if (election.leaderElect()) {
            check.durations();
            check.lease();
        }
        return check.problems;
    }

    private void durations() {
        requirePositive("leaseDuration", election.leaseDuration());
        requirePositive("renewDeadline", election.renewDeadline());
        requirePositive("retryPeriod", election.retryPeriod());
        boolean positive = problems.isEmpty();
        if (positive && election.leaseDuration().compareTo(SHORTEST_LEASE) < 0) {
            add("leaseDuration", "must be at least 1s, got " + GoDuration.format(election.leaseDuration()));
        }
        if (election.leaseDuration().compareTo(LONGEST_LEASE) > 0) {
            add("leaseDuration", "must be at most " + LONGEST_LEASE.toSeconds() + "s");
        }
        String deadline = GoDuration.format(election.renewDeadline());
        if (election.leaseDuration().compareTo(election.renewDeadline()) <= 0) {
            add("leaseDuration", "must be greater than " + called.apply("renewDeadline") + ", which is " + deadline);
        }
        double longestRetry = election.retryPeriod().toNanos() * RETRY_JITTER;
        if (election.renewDeadline().toNanos() <= longestRetry) {
            add(
                    "renewDeadline",
                    "must be greater than " + RETRY_JITTER + " times " + called.apply("retryPeriod") + ", got "
                            + deadline);
        }
    }

    private void lease() {
        if (!election.resourceLock().equals("leases")) {
            add("resourceLock", "must be \"leases\", got \"" + election.resourceLock() + '"');
        }
        addIfAny("resourceName", NameRules.subdomainProblem(election.resourceName()));
        addIfAny("resourceNamespace", NameRules.labelProblem(election.resourceNamespace()));
    }

    private void requirePositive(String field, Duration duration) {
        if (!duration.isPositive()) {
            add(field, "must be greater than zero, got " + GoDuration.format(duration));
        }
    }

    private void addIfAny(String field, Optional<String> message) {
        message.ifPresent(text -> add(field, text));
    }

    private void add(String field, String message) {
        problems.add(new Problem(field, message));
    }
}
