package io.evenkeel.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.LeaderElection;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

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
