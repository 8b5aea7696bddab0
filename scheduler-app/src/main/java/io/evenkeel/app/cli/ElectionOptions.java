package io.evenkeel.app.cli;

import io.evenkeel.app.option.Converters.TimeSpan;
import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.config.file.ElectionCheck;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The flags that override the configuration's leader election, by the reference's names. */
@Command(optionListHeading = "Leader election")
final class ElectionOptions {
    /** kube-scheduler's own Lease: two programs that share it would take turns instead of working side by side. */
    private static final String TAKEN = "kube-scheduler";

    private static final String OURS = "evenkeel";

    private static final Map<String, String> FLAGS = Map.of(
            "leaseDuration", "--leader-elect-lease-duration",
            "renewDeadline", "--leader-elect-renew-deadline",
            "retryPeriod", "--leader-elect-retry-period",
            "resourceName", "--leader-elect-resource-name",
            "resourceNamespace", "--leader-elect-resource-namespace");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--leader-elect",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "Elect a leader among replicas; only the leader schedules (default: as configured, true)")
    private Optional<Boolean> leaderElect = Optional.empty();

    @Option(
            names = "--leader-elect-lease-duration",
            paramLabel = "DURATION",
            converter = TimeSpan.Positive.class,
            description = "Time until a lease that is not renewed is taken over (default: as configured, 15s)")
    private Optional<Duration> leaseDuration = Optional.empty();

    @Option(
            names = "--leader-elect-renew-deadline",
            paramLabel = "DURATION",
            converter = TimeSpan.Positive.class,
            description = "Time that the leader tries to renew before it steps down (default: as configured, 10s)")
    private Optional<Duration> renewDeadline = Optional.empty();

    @Option(
            names = "--leader-elect-retry-period",
            paramLabel = "DURATION",
            converter = TimeSpan.Positive.class,
            description = "Time between attempts to acquire or renew (default: as configured, 2s)")
    private Optional<Duration> retryPeriod = Optional.empty();

    @Option(
            names = "--leader-elect-resource-lock",
            paramLabel = "KIND",
            converter = ResourceLock.class,
            description = "Kind of the lock: leases, and no other (default: as configured, leases)")
    private Optional<String> resourceLock = Optional.empty();

    @Option(
            names = "--leader-elect-resource-name",
            paramLabel = "NAME",
            description = "Name of the Lease (default: as configured, but evenkeel in place of kube-scheduler)")
    private Optional<String> resourceName = Optional.empty();

    @Option(
            names = "--leader-elect-resource-namespace",
            paramLabel = "NAMESPACE",
            description = "Namespace of the Lease (default: as configured, kube-system)")
    private Optional<String> resourceNamespace = Optional.empty();

    /**
     * The configured election, with the flags over it.
     *
     * @throws ParameterException if the result is invalid
     */
    LeaderElection over(LeaderElection configured) {
        String name = configured.resourceName().equals(TAKEN) ? OURS : configured.resourceName();
        LeaderElection election = new LeaderElection(
                leaderElect.orElse(configured.leaderElect()),
                leaseDuration.orElse(configured.leaseDuration()),
                renewDeadline.orElse(configured.renewDeadline()),
                retryPeriod.orElse(configured.retryPeriod()),
                resourceLock.orElse(configured.resourceLock()),
                resourceName.orElse(name),
                resourceNamespace.orElse(configured.resourceNamespace()));
        ElectionCheck.problems(election, ElectionOptions::flag).stream()
                .findFirst()
                .ifPresent(problem -> {
                    throw new ParameterException(spec.commandLine(), flag(problem.field()) + ": " + problem.message());
                });
        return election;
    }

    static final class ResourceLock implements ITypeConverter<String> {
        private static final String LEASES = "leases";

        @Override
        public String convert(String value) {
            return OneOf.of("no other lock is supported", LEASES).convert(value);
        }
    }

    private static String flag(String field) {
        return FLAGS.getOrDefault(field, "leaderElection." + field);
    }
}
