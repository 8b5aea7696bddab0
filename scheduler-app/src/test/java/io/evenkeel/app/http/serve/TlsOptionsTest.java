package io.evenkeel.app.http.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.app.http.Client;
import io.evenkeel.app.http.EndpointServer;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.app.http.Routes;
import io.evenkeel.app.http.serve.ClusterTrust.TrustedClients;
import io.evenkeel.app.http.serve.TlsOptions.ServerTls;
import io.evenkeel.testing.LogLines;
import io.evenkeel.tls.SelfSignedCertificate;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** What is spoken with a client, by the flags. */
class TlsOptionsTest {
    private static final SelfSignedCertificate OWN =
            SelfSignedCertificate.forHosts(List.of("localhost"), Duration.ofDays(1));

    @Test
    void onlyTheSuitesThatAreNamedAreSpokenBelowTls13() throws IOException {
        try (EndpointServer server = serve("--tls-cipher-suites=TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305,"
                + "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256")) {
            assertThat(suite(server, "TLSv1.2", "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"))
                    .isEqualTo("TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256");
            assertThat(suite(server, "TLSv1.2", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"))
                    .isEqualTo("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
            assertThat(suite(server, "TLSv1.3", "TLS_AES_256_GCM_SHA384")).isEqualTo("TLS_AES_256_GCM_SHA384");
            assertThatThrownBy(() -> suite(server, "TLSv1.2", "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"))
                    .isInstanceOf(SSLException.class);
        }
    }

    /** By name, as a client that knows nothing else would come. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
                "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
                "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
                "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384"
            })
    void noSuiteWithCbcIsSpokenUnlessTheFlagNamesIt(String cbc) throws IOException {
        try (EndpointServer server = serve()) {
            assertThatThrownBy(() -> suite(server, "TLSv1.2", cbc)).isInstanceOf(SSLException.class);
            assertThat(suite(server, "TLSv1.2", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"))
                    .isEqualTo("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
        }
        try (EndpointServer server = serve("--tls-min-version=VersionTLS13")) {
            assertThatThrownBy(() -> suite(server, "TLSv1.2", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"))
                    .isInstanceOf(SSLException.class);
        }
    }

    @Test
    void whoNamesASuiteWithCbcGetsIt() throws IOException {
        String cbc = "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA";
        try (EndpointServer server = serve("--tls-cipher-suites=" + cbc)) {
            assertThat(suite(server, "TLSv1.2", cbc)).isEqualTo(cbc);
        }
    }

    @Test
    void onlyTheKeyExchangesThatAreNamedAreSpoken() throws IOException {
        try (EndpointServer server = serve("--tls-curve-preferences=24,4588")) {
            assertThat(shakesHandsBy(server, "secp384r1")).isTrue();
            assertThat(shakesHandsBy(server, "x25519")).isFalse();
        }
        try (EndpointServer server = serve()) {
            assertThat(shakesHandsBy(server, "x25519")).isTrue();
        }
    }

    @Test
    void whatTheJdkDoesNotSpeakIsLeftOutAndNamed() {
        try (LogLines log = new LogLines(TlsOptions.class)) {
            parse(
                            "--tls-cipher-suites=TLS_RSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                            "--tls-curve-preferences=29,4588")
                    .warnOfLeftOut();

            assertThat(log.lines())
                    .containsExactly(
                            "WARN Ignoring TLS algorithms that the JDK does not support"
                                    + " [flag=\"--tls-cipher-suites\", leftOut=\"[TLS_RSA_WITH_AES_128_GCM_SHA256]\"]",
                            "WARN Ignoring TLS algorithms that the JDK does not support"
                                    + " [flag=\"--tls-curve-preferences\", leftOut=\"[4588]\"]");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--tls-cipher-suites=TLS_FOO|Cipher suite TLS_FOO not supported or doesn't exist",
                "--tls-curve-preferences=1|curve preference 1 is not supported; expected some of 23, 24, 25, 29",
                "--tls-curve-preferences=4588|the JDK speaks none of 4588; expected some of 23, 24, 25, 29",
            })
    void whatThereIsNotIsRefused(String flag, String message) {
        assertThatThrownBy(() -> parse(flag))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining(message);
    }

    private static EndpointServer serve(String... flags) throws IOException {
        ServerTls tls = ServerTls.of(OWN.keyManagers(), parse(flags), () -> TrustedClients.NONE);
        return EndpointServer.secure(Client.freePort(), tls, new Routes(), AccessControl.OPEN_TO_ALL, Client.UNHARMED);
    }

    private static String suite(EndpointServer server, String version, String suite) throws IOException {
        try (SSLSocket socket = connect(server)) {
            socket.setEnabledProtocols(new String[] {version});
            socket.setEnabledCipherSuites(new String[] {suite});
            socket.startHandshake();
            return socket.getSession().getCipherSuite();
        }
    }

    private static boolean shakesHandsBy(EndpointServer server, String group) throws IOException {
        try (SSLSocket socket = connect(server)) {
            var parameters = socket.getSSLParameters();
            parameters.setNamedGroups(new String[] {group});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return true;
        } catch (SSLException refused) {
            return false;
        }
    }

    private static SSLSocket connect(EndpointServer server) throws IOException {
        return (SSLSocket) OWN.sslContext()
                .getSocketFactory()
                .createSocket(server.address().getAddress(), server.address().getPort());
    }

    private record Command(@CommandLine.Mixin TlsOptions options) {}

    private static TlsOptions parse(String... flags) {
        TlsOptions options = new TlsOptions();
        new CommandLine(new Command(options)).parseArgs(flags);
        return options;
    }
}
