package io.evenkeel.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

class ServingOptionsTest {

    @Test
    void theFlagsOfTheReferenceAreUnderstood() {
        ServingOptions options = parse(
                "--secure-port=0",
                "--bind-address=127.0.0.1",
                "--tls-min-version=VersionTLS13",
                "--authentication-kubeconfig=/etc/kubernetes/scheduler.conf",
                "--authorization-kubeconfig",
                "/etc/kubernetes/scheduler.conf",
                "--authentication-skip-lookup=false",
                "--authentication-token-webhook-cache-ttl=1m",
                "--authorization-always-allow-paths=/healthz,/metrics");

        assertThat(options.authenticationKubeconfig()).contains(Path.of("/etc/kubernetes/scheduler.conf"));
        assertThat(options.authorizationKubeconfig()).isPresent();
    }

    @Test
    void mistakesAreNamed() {
        assertThatThrownBy(() -> parse("--tls-min-version=VersionTLS10"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("there are VersionTLS12, VersionTLS13, got \"VersionTLS10\"");
        assertThatThrownBy(() -> parse("--authentication-token-webhook-cache-ttl=ten"))
                .hasMessageContaining("expected a duration such as 10s, got \"ten\"");
    }

    @Test
    void aCertificateNeedsItsKey() {
        ServingOptions options = parse("--tls-cert-file=/tls.crt");

        assertThatThrownBy(options::sslContext)
                .isInstanceOf(IOException.class)
                .hasMessage("--tls-cert-file and --tls-private-key-file come together");
    }

    @Test
    void nothingIsServedOnPortsThatAreZero() throws Exception {
        Routes routes = new Routes().addHealth("/healthz", List.of());

        try (Serving serving = parse("--secure-port=0").start(routes, Optional.empty(), Optional.empty())) {
            assertThat(serving.addresses()).isEmpty();
        }
    }

    private record Command(@CommandLine.Mixin ServingOptions options) {}

    private static ServingOptions parse(String... arguments) {
        ServingOptions options = new ServingOptions();
        new CommandLine(new Command(options)).parseArgs(arguments);
        return options;
    }
}
