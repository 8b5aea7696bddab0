package io.evenkeel.app.http.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.app.http.Client;
import io.evenkeel.app.http.EndpointServer;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.app.http.Routes;
import io.evenkeel.app.http.serve.ClusterTrust.TrustedClients;
import io.evenkeel.app.http.serve.TlsOptions.ServerTls;
import io.evenkeel.app.http.serve.TlsOptions.TlsVersion;
import io.evenkeel.tls.SubjectName;
import io.evenkeel.tls.TestAuthority;
import io.evenkeel.tls.TrustsAnybody;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Which certificate a client is shown that asks for a name: {@code --tls-sni-cert-key}. */
class NamedCertificatesTest {
    @TempDir
    private Path directory;

    @Test
    void theCertificateForTheNameIsShown() throws Exception {
        String usual = write("usual");
        List<String> flags = new ArrayList<>(List.of(
                "--tls-cert-file=" + directory.resolve("usual.crt"),
                "--tls-private-key-file=" + directory.resolve("usual.key"),
                "--tls-sni-cert-key=" + write("pattern") + ":*.example.com,*.*.org",
                "--tls-sni-cert-key=" + write("exact") + ":web.example.com",
                "--tls-sni-cert-key=" + write("own.example.net"),
                "--tls-sni-cert-key=" + write("given") + ":Own.Example.net"));
        assertThat(usual).isNotEmpty();

        try (EndpointServer server = serve(flags)) {
            assertThat(shown(server, "web.example.com")).isEqualTo("exact");
            assertThat(shown(server, "api.example.com")).isEqualTo("pattern");
            assertThat(shown(server, "a.b.org")).isEqualTo("pattern");
            assertThat(shown(server, "a.b.example.com")).isEqualTo("usual");
            assertThat(shown(server, "example.com")).isEqualTo("usual");
            assertThat(shown(server, "own.example.net"))
                    .as("names that are given go before those of a certificate")
                    .isEqualTo("given");
            assertThat(shown(server, "")).isEqualTo("usual");
        }
        flags.removeLast();
        try (EndpointServer server = serve(flags)) {
            assertThat(shown(server, "own.example.net")).isEqualTo("own.example.net");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a|expected comma separated certificate and key file paths, got \"a\"",
                "a,|expected comma separated certificate and key file paths, got \"a,\"",
                "a,b,c|expected comma separated certificate and key file paths, got \"a,b,c\"",
                "a,b:|expected a domain such as example.com or *.example.com, got \"\"",
                "a,b:w*.example.com|expected a domain such as example.com or *.example.com, got \"w*.example.com\"",
                "a,b:10.0.0.1|\"10.0.0.1\" is an address, for which clients ask by no name",
            })
    void whatMakesNoSenseIsRefused(String value, String message) {
        assertThatThrownBy(() -> parse(List.of("--tls-sni-cert-key=" + value)))
                .isInstanceOf(CommandLine.ParameterException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        CertificateOptions options = parse(List.of("--tls-sni-cert-key=/nowhere/a.crt,/nowhere/a.key"));

        assertThatThrownBy(options::keyManagers)
                .isInstanceOf(ServingException.class)
                .hasMessage("--tls-sni-cert-key: /nowhere/a.crt does not exist");
    }

    private static EndpointServer serve(List<String> flags) throws IOException {
        ServerTls tls = ServerTls.of(
                parse(flags).keyManagers(), TlsOptions.from(TlsVersion.TLS_1_2), () -> TrustedClients.NONE);
        return EndpointServer.secure(Client.freePort(), tls, new Routes(), AccessControl.OPEN_TO_ALL, Client.UNHARMED);
    }

    /** The CommonName of the certificate that is shown. */
    private static String shown(EndpointServer server, String name) throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustsAnybody()}, null);
        try (var socket = (SSLSocket) context.getSocketFactory()
                .createSocket(server.address().getAddress(), server.address().getPort())) {
            var parameters = socket.getSSLParameters();
            parameters.setServerNames(name.isEmpty() ? List.of() : List.of(new SNIHostName(name)));
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return SubjectName.of((X509Certificate) socket.getSession().getPeerCertificates()[0])
                    .commonName();
        }
    }

    /** The two files as the flag takes them. */
    private String write(String name) throws IOException {
        TestAuthority identity = TestAuthority.named(name);
        Path certificate = Files.writeString(directory.resolve(name + ".crt"), identity.pem());
        StringWriter key = new StringWriter();
        try (JcaPEMWriter pem = new JcaPEMWriter(key)) {
            pem.writeObject(new JcaPKCS8Generator(identity.key(), null));
        }
        return certificate + "," + Files.writeString(directory.resolve(name + ".key"), key.toString());
    }

    private record Command(@CommandLine.Mixin CertificateOptions options) {}

    private static CertificateOptions parse(List<String> flags) {
        CertificateOptions options = new CertificateOptions();
        new CommandLine(new Command(options)).parseArgs(flags.toArray(String[]::new));
        return options;
    }
}
