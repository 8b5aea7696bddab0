package io.evenkeel.app.http.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.app.http.Client;
import io.evenkeel.app.http.Routes;
import io.evenkeel.app.http.serve.ServingOptions.Serving;
import io.evenkeel.testing.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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
                "--authentication-tolerate-lookup-failure=true",
                "--client-ca-file=/etc/kubernetes/pki/ca.crt",
                "--requestheader-client-ca-file=/etc/kubernetes/pki/front-proxy-ca.crt",
                "--requestheader-allowed-names=front-proxy-client,other",
                "--requestheader-username-headers=X-Remote-User",
                "--requestheader-group-headers=X-Remote-Group",
                "--requestheader-uid-headers=X-Remote-Uid",
                "--requestheader-extra-headers-prefix=X-Remote-Extra-",
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

    @ParameterizedTest
    @ValueSource(strings = {"70000", "-1", "99999999999"})
    void aPortThatThereIsNotIsRefused(String port) {
        for (String option : List.of("--secure-port", "--insecure-port")) {
            assertThatThrownBy(() -> parse(option, port))
                    .isInstanceOf(ParameterException.class)
                    .hasMessage("Invalid value for option '%s': must be between 0 and 65535, got %s"
                            .formatted(option, port));
        }
    }

    @Test
    void aTakenPortIsNamedAndNothingElseIsServed() throws Exception {
        Routes routes = new Routes().addHealth("/healthz", List.of());
        int secure = Ports.unused();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ServingOptions options = parse(
                    "--secure-port=" + secure, "--bind-address=127.0.0.1", "--insecure-port=" + taken.getLocalPort());

            assertThatThrownBy(() -> options.start(routes, Optional.empty(), Optional.empty(), Client.UNHARMED))
                    .isInstanceOf(ServingException.class)
                    .hasMessage("--insecure-port: cannot listen on 127.0.0.1:%d: Address already in use"
                            .formatted(taken.getLocalPort()));
            new ServerSocket(secure, 1, InetAddress.getLoopbackAddress()).close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nowhere.invalid", "", "1.2.3", "10.0.0.256"})
    void whatIsNoAddressIsRefused(String address) {
        for (String option : List.of("--bind-address", "--insecure-bind-address")) {
            assertThatThrownBy(() -> parse(option, address))
                    .isInstanceOf(ParameterException.class)
                    .hasMessageEndingWith("expected an IP address such as 127.0.0.1 or ::1, got \"" + address + "\"");
        }
        assertThat(parse("--bind-address=::1", "--insecure-bind-address=10.0.0.1"))
                .isNotNull();
    }

    @Test
    void nothingIsServedOnPortsThatAreZero() throws Exception {
        Routes routes = new Routes().addHealth("/healthz", List.of());

        try (Serving serving =
                parse("--secure-port=0").start(routes, Optional.empty(), Optional.empty(), Client.UNHARMED)) {
            assertThat(serving.addresses()).isEmpty();
        }
    }

    @Test
    void aFileOfAuthoritiesThatIsOfNoUseIsNamed(@TempDir Path directory) throws IOException {
        Path garbage = Files.writeString(directory.resolve("ca.crt"), "garbage");
        Routes routes = new Routes();
        for (String option : List.of("--client-ca-file", "--requestheader-client-ca-file")) {
            assertThatThrownBy(() -> parse(option, garbage.toString(), "--secure-port=" + Ports.unused())
                            .start(routes, Optional.empty(), Optional.empty(), Client.UNHARMED))
                    .isInstanceOf(ServingException.class)
                    .hasMessage(option + ": cannot use " + garbage + ": there is no certificate in PEM");
            assertThatThrownBy(() -> parse(option, "/nowhere/ca.crt", "--secure-port=" + Ports.unused())
                            .start(routes, Optional.empty(), Optional.empty(), Client.UNHARMED))
                    .hasMessage(option + ": /nowhere/ca.crt does not exist");
        }
    }

    @Test
    void listsOfNamesHaveNoEmptyOnes() {
        for (String names : List.of("a,,b", ",", " ")) {
            assertThatThrownBy(() -> parse("--requestheader-allowed-names=" + names))
                    .isInstanceOf(ParameterException.class)
                    .hasMessageEndingWith(
                            "expected names with commas between, none of them empty, got \"" + names + "\"");
        }
        assertThat(parse("--requestheader-allowed-names=")).isNotNull();
    }

    private record Command(@CommandLine.Mixin ServingOptions options) {}

    private static ServingOptions parse(String... arguments) {
        ServingOptions options = new ServingOptions();
        new CommandLine(new Command(options)).parseArgs(arguments);
        return options;
    }
}
