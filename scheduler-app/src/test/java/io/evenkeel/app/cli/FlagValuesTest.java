package io.evenkeel.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class FlagValuesTest {
    @Test
    void flagsAreThereWithTheirDefaultsAndAsSet() {
        assertThat(values("--secure-port=31259", "--feature-gates=AllBeta=true,MemoryQoS=true", "--dry-run"))
                .containsEntry("secure-port", "31259")
                .containsEntry("dry-run", "true")
                .containsEntry("assert", "false")
                .containsEntry("config", "")
                .containsEntry("shutdown-grace", "20s")
                .containsEntry("pod-max-in-unschedulable-pods-duration", "5m0s")
                .containsEntry("feature-gates", "[AllBeta=true,MemoryQoS=true]")
                .containsEntry("requestheader-group-headers", "[x-remote-group]")
                .containsEntry("logging-format", "text")
                .containsEntry("tls-min-version", "VersionTLS12")
                .containsEntry("authorization-always-allow-paths", "[/healthz,/readyz,/livez]")
                .hasSizeGreaterThan(40);
    }

    @Test
    void aPasswordInAnAddressIsNotTold() {
        assertThat(values("--master=https://admin:secret@10.0.0.1:6443"))
                .containsEntry("master", "https://CLASSIFIED@10.0.0.1:6443");
        assertThat(values("--master=https://10.0.0.1:6443")).containsEntry("master", "https://10.0.0.1:6443");
    }

    private static Map<String, String> values(String... args) {
        CommandLine line = new CommandLine(new RunCommand());
        line.parseArgs(args);
        return FlagValues.of(line.getCommandSpec());
    }
}
