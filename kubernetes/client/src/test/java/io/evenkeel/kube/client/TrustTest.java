package io.evenkeel.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.tls.SelfSignedCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SNIMatcher;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.StandardConstants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrustTest {
    private static final SelfSignedCertificate CERTIFICATE =
            SelfSignedCertificate.forHosts(List.of("api.example", "kubernetes"), Duration.ofDays(1));

    @TempDir
    Path folder;

    private final Set<String> askedFor = ConcurrentHashMap.newKeySet();
    private HttpsServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(CERTIFICATE.sslContext()) {
            @Override
            public void configure(HttpsParameters connection) {
                SSLParameters parameters = getSSLContext().getDefaultSSLParameters();
                parameters.setSNIMatchers(List.of(new AskedFor()));
                connection.setSSLParameters(parameters);
            }
        });
        server.createContext("/", request -> {
            request.sendResponseHeaders(200, -1);
            request.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void aServerThatTheAuthorityVouchesForIsTrustedUnderItsName() throws IOException {
        assertThat(code(authority() + ", tls-server-name: api.example")).isEqualTo(200);
        assertThat(askedFor).as("by which a proxy tells servers apart").containsOnly("api.example");
    }

    @Test
    void aServerIsAskedForByANameWithoutDotsToo() throws IOException {
        assertThat(code(authority() + ", tls-server-name: kubernetes")).isEqualTo(200);
        assertThat(askedFor).containsOnly("kubernetes");
    }

    @Test
    void aServerOfAnotherNameOrAuthorityIsNot() {
        assertThatThrownBy(() -> code(authority())).isInstanceOf(SSLException.class);
        assertThatThrownBy(() -> code("tls-server-name: api.example")).isInstanceOf(SSLException.class);
    }

    @Test
    void itIsSaidInPlainWordsWhyAServerIsNotTrusted() {
        String other = TestIdentity.base64(TestIdentity.of("other", "EC").certificate());

        assertThatThrownBy(() -> code("certificate-authority-data: " + other + ", tls-server-name: api.example"))
                .hasMessage("the server's certificate is not trusted by the configured certificate authority");
        assertThatThrownBy(() -> code("tls-server-name: api.example"))
                .hasMessage("the server's certificate is not trusted, and no certificate authority is configured");
        assertThatThrownBy(() -> code(authority()))
                .hasMessage("the server's certificate is not for this name or address");
    }

    @Test
    void whoInsistsTrustsAnyServer() throws IOException {
        assertThat(code("insecure-skip-tls-verify: true")).isEqualTo(200);
    }

    /** A watch, a lease and a binding all try again, the lease within seconds. */
    @Test
    void anAuthorityThatIsRenewedIsKnownAtTheNextTry() throws IOException {
        Path file = folder.resolve("ca.crt");
        Files.writeString(file, TestIdentity.of("former", "EC").certificate());
        try (HttpTransport transport = open("certificate-authority: ca.crt, tls-server-name: api.example")) {
            Files.writeString(file, CERTIFICATE.pem());

            assertThatThrownBy(() -> code(transport)).isInstanceOf(SSLException.class);
            assertThat(code(transport)).isEqualTo(200);

            Files.delete(file);
            assertThat(code(transport)).as("what was read last holds").isEqualTo(200);
        }
    }

    private static String authority() {
        byte[] pem = CERTIFICATE.pem().getBytes(StandardCharsets.US_ASCII);
        return "certificate-authority-data: " + Base64.getEncoder().encodeToString(pem);
    }

    private int code(String trust) throws IOException {
        try (HttpTransport transport = open(trust)) {
            return code(transport);
        }
    }

    private static int code(HttpTransport transport) throws IOException {
        try (ApiAnswer answer = transport.call(ApiCall.get("/"))) {
            return answer.code();
        }
    }

    private HttpTransport open(String trust) throws IOException {
        Path file = Files.writeString(
                folder.resolve("config"), """
                current-context: here
                clusters: [{name: c, cluster: {server: "https://127.0.0.1:%d", %s}}]
                contexts: [{name: here, context: {cluster: c}}]
                """.formatted(server.getAddress().getPort(), trust));
        return HttpTransport.open(ConnectionOptions.of(Optional.of(file)), "0", ApiObserver.NONE);
    }

    /** Takes down the names that clients ask for. */
    private final class AskedFor extends SNIMatcher {
        AskedFor() {
            super(StandardConstants.SNI_HOST_NAME);
        }

        @Override
        public boolean matches(SNIServerName name) {
            askedFor.add(new String(name.getEncoded(), StandardCharsets.US_ASCII));
            return true;
        }
    }
}
