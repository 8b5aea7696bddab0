package io.evenkeel.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.SchedulerConfiguration.ClientConnection;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class FlagValuesTest {
    private static final SchedulerConfiguration IN_FORCE = SchedulerConfiguration.defaults().toBuilder()
            .clientConnection(new ClientConnection("", "", "application/json", 12.5f, 600))
            .build();

    @Test
    void flagsAreThereWithTheirDefaultsAndAsSet() {
        assertThat(values("--secure-port=31259", "--feature-gates=AllBeta=true,MemoryQoS=true", "--dry-run"))
                .containsEntry("secure-port", "31259")
                .containsEntry("dry-run", "true")
                .containsEntry("assert", "false")
                .containsEntry("config", "")
                .containsEntry("shutdown-grace", "20s")
                .containsEntry("profiling", "true")
                .containsEntry("disable-http2-serving", "false")
                .containsEntry("log-flush-frequency", "5s")
                .containsEntry("http2-max-streams-per-connection", "0")
                .containsEntry("pod-max-in-unschedulable-pods-duration", "5m0s")
                .containsEntry("feature-gates", "[AllBeta=true,MemoryQoS=true]")
                .containsEntry("requestheader-group-headers", "[x-remote-group]")
                .containsEntry("logging-format", "text")
                .containsEntry("tls-min-version", "VersionTLS12")
                .containsEntry("authorization-always-allow-paths", "[/healthz,/readyz,/livez]")
                .hasSizeGreaterThan(40);
    }

    @Test
    void ofAFlagGivenAgainTheLastValueHolds() {
        assertThat(values("--v=1", "--master=https://a", "--v=3", "--master=https://b", "--profiling", "--profiling=F"))
                .containsEntry("v", "3")
                .containsEntry("master", "https://b")
                .containsEntry("profiling", "false");
    }

    @Test
    void listsGivenAgainAddUp() {
        assertThat(values(
                        "--feature-gates=AllBeta=true",
                        "--requestheader-group-headers=a",
                        "--requestheader_group_headers",
                        "b",
                        "--tls-curve-preferences=23",
                        "--feature-gates=MemoryQoS=true",
                        "--tls-curve-preferences=29",
                        "--requestheader-group-headers=c,d"))
                .containsEntry("feature-gates", "[AllBeta=true,MemoryQoS=true]")
                .containsEntry("requestheader-group-headers", "[a,b,c,d]")
                .containsEntry("tls-curve-preferences", "[secp256r1, x25519]");
    }

    @Test
    void whatTheConfigurationDecidesIsToldAsItIsThere() {
        assertThat(values())
                .containsEntry("leader-elect", "true")
                .containsEntry("leader-elect-lease-duration", "15s")
                .containsEntry("leader-elect-resource-lock", "leases")
                .containsEntry("kube-api-qps", "12.5")
                .containsEntry("kube-api-burst", "600")
                .containsEntry("kube-api-content-type", "application/json");
    }

    @Test
    void aPasswordInAnAddressIsNotTold() {
        assertThat(values("--master=https://admin:secret@10.0.0.1:6443"))
                .containsEntry("master", "https://CLASSIFIED@10.0.0.1:6443");
        assertThat(values("--context=https://admin:s@cr@et@10.0.0.1:6443"))
                .containsEntry("context", "https://CLASSIFIED@10.0.0.1:6443");
        assertThat(values("--master=https://10.0.0.1:6443")).containsEntry("master", "https://10.0.0.1:6443");
    }

    private static Map<String, String> values(String... args) {
        CommandLine.ParseResult typed = Evenkeel.commandLine()
                .parseArgs(Stream.concat(Stream.of("run"), Stream.of(args)).toArray(String[]::new));
        return FlagValues.of(typed.subcommand().commandSpec(), IN_FORCE);
    }
}
