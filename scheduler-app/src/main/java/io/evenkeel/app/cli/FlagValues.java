package io.evenkeel.app.cli;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.SchedulerConfiguration.ClientConnection;
import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.config.file.GoDuration;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The flags of {@code run}, or another long-running command, with their effective values, written as programs in Go write theirs. Where a flag overrides a field
 * of the configuration, the value is that of the merged configuration.
 */
public final class FlagValues {
    private static final String LONG = "--";

    private FlagValues() {}

    public static NavigableMap<String, String> of(CommandSpec command, SchedulerConfiguration inForce) {
        NavigableMap<String, String> values = new TreeMap<>();
        for (OptionSpec option : command.options()) {
            if (option.longestName().startsWith(LONG)) {
                values.put(option.longestName().substring(LONG.length()), text(option.getValue()));
            }
        }
        decided(inForce.leaderElection()).forEach(values::replace);
        decided(inForce.clientConnection()).forEach(values::replace);
        return values;
    }

    private static Map<String, String> decided(LeaderElection election) {
        return Map.of(
                "leader-elect", text(election.leaderElect()),
                "leader-elect-lease-duration", text(election.leaseDuration()),
                "leader-elect-renew-deadline", text(election.renewDeadline()),
                "leader-elect-retry-period", text(election.retryPeriod()),
                "leader-elect-resource-lock", election.resourceLock(),
                "leader-elect-resource-name", election.resourceName(),
                "leader-elect-resource-namespace", election.resourceNamespace());
    }

    private static Map<String, String> decided(ClientConnection client) {
        return Map.of(
                "kube-api-qps",
                        new BigDecimal(String.valueOf(client.qps()))
                                .stripTrailingZeros()
                                .toPlainString(),
                "kube-api-burst", text(client.burst()),
                "kube-api-content-type", client.contentType());
    }

    private static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "";
            case Optional<?> optional -> optional.map(FlagValues::text).orElse("");
            case Duration duration -> GoDuration.format(duration);
            case Collection<?> list -> list.stream().map(FlagValues::text).collect(Collectors.joining(",", "[", "]"));
            default -> withoutPassword(value.toString());
        };
    }

    /** An address may carry a user and a password, which the last {@code @} ends: a password may have others. */
    private static String withoutPassword(String value) {
        return value.replaceFirst("^([a-zA-Z][a-zA-Z0-9+.-]*://)?[^/]*@", "$1CLASSIFIED@");
    }
}
