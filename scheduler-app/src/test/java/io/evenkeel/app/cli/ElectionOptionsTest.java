package io.evenkeel.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.evenkeel.app.cli.RunCommand.ElectionOptions;
import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class ElectionOptionsTest {
    private static final LeaderElection CONFIGURED = new LeaderElection(
            true, Duration.ofSeconds(30), Duration.ofSeconds(20), Duration.ofSeconds(4), "leases", "mine", "infra");

    @Test
    void withoutFlagsAllIsAsConfigured() {
        assertThat(parse().over(CONFIGURED)).isEqualTo(CONFIGURED);
    }

    @Test
    void theLeaseOfKubeSchedulerItselfIsLeftToIt() {
        LeaderElection ours = parse().over(LeaderElection.defaults());

        assertThat(ours.resourceName()).isEqualTo("evenkeel");
        assertThat(ours.resourceNamespace()).isEqualTo("kube-system");
    }

    @Test
    void whoNamesTheLeaseOfKubeSchedulerInAFlagGetsIt() {
        assertThat(parse("--leader-elect-resource-name=kube-scheduler")
                        .over(LeaderElection.defaults())
                        .resourceName())
                .isEqualTo("kube-scheduler");
    }

    @Test
    void flagsWin() {
        assertThat(parse(
                                "--leader-elect=false",
                                "--leader-elect-lease-duration=1m",
                                "--leader-elect-renew-deadline=45s",
                                "--leader-elect-retry-period=500ms",
                                "--leader-elect-resource-name=other",
                                "--leader-elect-resource-namespace=default")
                        .over(CONFIGURED))
                .isEqualTo(new LeaderElection(
                        false,
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(45),
                        Duration.ofMillis(500),
                        "leases",
                        "other",
                        "default"));
    }

    @Test
    void aFlagAloneTurnsTheElectionOn() {
        LeaderElection off = parse("--leader-elect=false").over(CONFIGURED);

        assertThat(off.leaderElect()).isFalse();
        assertThat(parse("--leader-elect").over(off).leaderElect()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--leader-elect-lease-duration=20s|--leader-elect-lease-duration: must be greater than"
                        + " --leader-elect-renew-deadline, which is 20s",
                "--leader-elect-renew-deadline=4800ms|--leader-elect-renew-deadline: must be greater than 1.2 times"
                        + " --leader-elect-retry-period, got 4.8s",
                "--leader-elect-resource-name=A_B|--leader-elect-resource-name: expected a name of lower-case letters,"
                        + " digits, '-' and '.', got \"A_B\"",
                "--leader-elect-resource-namespace=a.b|--leader-elect-resource-namespace: expected a name of at most 63"
                        + " lower-case letters, digits and '-', got \"a.b\"",
            })
    void anElectionByWhichReplicasCouldNotAgreeIsRefusedByTheNameOfTheFlag(String flag, String message) {
        ElectionOptions options = parse(flag);

        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> options.over(CONFIGURED))
                .withMessage(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--leader-elect-lease-duration=0s",
                "--leader-elect-renew-deadline=0s",
                "--leader-elect-retry-period=-1s"
            })
    void whatTakesNoTimeIsRefused(String flag) {
        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> parse(flag))
                .withMessageContaining(flag.substring(0, flag.indexOf('=')))
                .withMessageContaining("must be greater than zero");
    }

    @Test
    void aLeaseOfLessThanASecondIsRefused() {
        ElectionOptions options = parse(
                "--leader-elect-lease-duration=900ms",
                "--leader-elect-renew-deadline=500ms",
                "--leader-elect-retry-period=100ms");

        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> options.over(CONFIGURED))
                .withMessage("--leader-elect-lease-duration: must be at least 1s, got 900ms");
    }

    @Test
    void whoTurnsTheElectionOnIsToldWhatTheFileHasForIt() {
        LeaderElection off = new LeaderElection(
                false, Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofSeconds(1), "endpoints", "a", "b");

        assertThat(parse().over(off)).isEqualTo(off);
        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> parse("--leader-elect").over(off))
                .withMessage("leaderElection.resourceLock: must be \"leases\", got \"endpoints\"");
    }

    private static ElectionOptions parse(String... flags) {
        Command command = new Command();
        new CommandLine(command).parseArgs(flags);
        return command.options;
    }

    private static final class Command {
        @Mixin
        private ElectionOptions options = new ElectionOptions();
    }
}
