package io.evenkeel.kube.client;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.client.ConnectionOptions.ConnectionLimits;
import io.evenkeel.tls.PemIdentity;
import io.evenkeel.tls.TrustsAnybody;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What a server sees that asks everybody for a certificate. */
class ClientCertificateTest {
    private static final TestIdentity SERVER = TestIdentity.of("server", "EC");
    private static final TestIdentity JANE = TestIdentity.of("jane", "EC");

    @TempDir
    Path folder;

    private final List<String> seen = new ArrayList<>();
    private HttpsServer server;

    @BeforeEach
    void serve() throws IOException, GeneralSecurityException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(trustingAnybody()) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters asking = getSSLContext().getDefaultSSLParameters();
                asking.setNeedClientAuth(true);
                parameters.setSSLParameters(asking);
            }
        });
        server.createContext("/", request -> {
            String name =
                    ((HttpsExchange) request).getSSLSession().getPeerPrincipal().getName();
            seen.add(name + " " + request.getRequestHeaders().getFirst("Authorization"));
            request.sendResponseHeaders(name.equals("CN=old") ? 401 : 200, -1);
            request.close();
        });
        server.start();
    }

    private static SSLContext trustingAnybody() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        byte[] certificate = SERVER.certificate().getBytes(StandardCharsets.US_ASCII);
        byte[] key = SERVER.key().getBytes(StandardCharsets.US_ASCII);
        context.init(PemIdentity.parse(certificate, key).keyManagers(), new TrustManager[] {new TrustsAnybody()}, null);
        return context;
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"EC", "RSA", "Ed25519"})
    void keysOfAllKindsAreShown(String algorithm) throws IOException {
        ask(TestIdentity.of("joe", algorithm).fields());

        assertThat(seen).containsExactly("CN=joe null");
    }

    /** As the kubelet keeps them. */
    @Test
    void bothMayBeInOneFile() throws IOException {
        Files.writeString(folder.resolve("jane.pem"), JANE.certificate() + JANE.key());

        ask("client-certificate: jane.pem, client-key: jane.pem");

        assertThat(seen).containsExactly("CN=jane null");
    }

    @Test
    void aCertificateIsShownWithATokenFile() throws IOException {
        Files.writeString(folder.resolve("token"), "t");

        ask("tokenFile: token, " + JANE.fields());

        assertThat(seen).containsExactly("CN=jane Bearer t");
    }

    @Test
    void aCertificateIsShownWithWhatAPluginGives() throws IOException {
        ask("exec: {command: echo, args: ['{\"status\": {\"token\": \"t\"}}']}, " + JANE.fields());

        assertThat(seen).containsExactly("CN=jane Bearer t");
    }

    @Test
    void aPluginMayGiveTheCertificate() throws IOException {
        ask(pluginThatGives(JANE));

        assertThat(seen).containsExactly("CN=jane null");
    }

    @Test
    void connectionsThatShowedAnotherCertificateAreNotKept() throws IOException {
        ConnectionOptions options = options(pluginThatGives(TestIdentity.of("old", "EC")));
        try (HttpTransport transport = HttpTransport.open(options, "0", ApiObserver.NONE)) {
            HttpClients before = transport.clients();
            pluginThatGives(JANE);

            try (ApiAnswer answer = transport.call(ApiCall.get("/"))) {
                assertThat(answer.code()).isEqualTo(200);
            }

            assertThat(seen).containsExactly("CN=old null", "CN=jane null");
            assertThat(transport.clients()).isNotSameAs(before);
            await().until(() -> before.calls().connectionPool().connectionCount() == 0);
            assertThat(before.calls().dispatcher().executorService().isShutdown())
                    .isTrue();
        }
    }

    @Test
    void aKeyThatCannotBeUsedIsToldOnceAndByUs() throws Exception {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(log);
        try {
            assertRefused(
                    "client-key-data: " + TestIdentity.base64("nonsense"),
                    "there is no private key in PEM that is not encrypted");
            assertRefused(
                    "client-key-data: "
                            + TestIdentity.base64("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"),
                    "the private key is damaged");
            assertRefused(
                    "client-key-data: "
                            + TestIdentity.base64(TestIdentity.of("joe", "EC").key()),
                    "the key is not that of the certificate of CN=jane");
        } finally {
            root.detachAppender(log);
        }
        assertThat(log.list).isEmpty();
    }

    /** The fields of a user whose plugin does; called again, what it gives from now on. */
    private String pluginThatGives(TestIdentity identity) throws IOException {
        Path status = Files.writeString(
                folder.resolve("status.json"),
                "{\"status\": {\"clientCertificateData\": \"%s\", \"clientKeyData\": \"%s\"}}"
                        .formatted(inJson(identity.certificate()), inJson(identity.key())));
        return "exec: {command: cat, args: ['" + status + "']}";
    }

    private static String inJson(String pem) {
        return pem.strip().replace("\r", "").replace("\n", "\\n");
    }

    private void assertRefused(String key, String why) throws IOException {
        ConnectionOptions options =
                options("client-certificate-data: " + TestIdentity.base64(JANE.certificate()) + ", " + key);

        assertThatThrownBy(() -> HttpTransport.open(options, "0", ApiObserver.NONE))
                .isInstanceOf(ClientConfigurationException.class)
                .hasMessageStartingWith("kubeconfig " + folder.resolve("config")
                        + ": users[u].user.client-certificate and client-key cannot be used: " + why);
    }

    private void ask(String user) throws IOException {
        try (HttpTransport transport = HttpTransport.open(options(user), "0", ApiObserver.NONE);
                ApiAnswer answer = transport.call(ApiCall.get("/"))) {
            assertThat(answer.code()).isEqualTo(200);
        }
    }

    private ConnectionOptions options(String user) throws IOException {
        Path file = Files.writeString(folder.resolve("config"), """
                current-context: here
                clusters: [{name: c, cluster: {server: "https://127.0.0.1:%d", certificate-authority-data: %s}}]
                contexts: [{name: here, context: {cluster: c, user: u}}]
                users: [{name: u, user: {%s}}]
                """.formatted(
                        server.getAddress().getPort(), TestIdentity.base64(SERVER.certificate()), user));
        return new ConnectionOptions(
                Optional.of(file),
                Optional.empty(),
                Optional.empty(),
                Map.of("PATH", System.getenv().getOrDefault("PATH", "/bin")),
                ConnectionLimits.DEFAULT);
    }
}
