package io.evenkeel.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.client.ConnectionOptions.ConnectionLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who a server is told that we are. It refuses the token {@code refused}. */
class AuthenticationTest {
    @TempDir
    Path folder;

    private final List<Headers> requests = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", request -> {
            requests.add(request.getRequestHeaders());
            boolean refused =
                    "Bearer refused".equals(request.getRequestHeaders().getFirst("Authorization"));
            request.sendResponseHeaders(refused ? 401 : 200, -1);
            request.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void whomWeSpeakForIsSaidWithEveryRequest() throws IOException {
        ask("token: t, as: jane, as-uid: '7', as-groups: [ops, 'system:masters'],"
                + " as-user-extra: {Example.com/Scope%: [a, b], reason: [drill]}");

        Headers told = requests.getFirst();
        assertThat(told.getFirst("Authorization")).isEqualTo("Bearer t");
        assertThat(told.get("Impersonate-User")).containsExactly("jane");
        assertThat(told.get("Impersonate-Uid")).containsExactly("7");
        assertThat(told.get("Impersonate-Group")).containsExactlyInAnyOrder("ops", "system:masters");
        assertThat(told.get("Impersonate-Extra-example.com%2Fscope%25")).containsExactlyInAnyOrder("a", "b");
        assertThat(told.get("Impersonate-Extra-reason")).containsExactly("drill");
    }

    @Test
    void nobodyIsSpokenForByHalf() {
        assertThatThrownBy(() -> ask("as-groups: [ops]"))
                .isInstanceOf(ClientConfigurationException.class)
                .hasMessage("kubeconfig " + folder.resolve("config")
                        + ": users[u].user.as is missing: as-uid, as-groups and as-user-extra need a user");
        assertThatThrownBy(() -> ask("as: \"a\\nb\"")).hasMessageEndingWith("users[u].user.as has a control character");
    }

    @Test
    void aTokenFileGoesOverAToken() throws IOException {
        Files.writeString(folder.resolve("file"), "from-file");

        ask("token: given, tokenFile: file");

        assertThat(shown()).containsExactly("Bearer from-file");
    }

    @Test
    void aTokenStandsInForItsFileUntilThatCanBeRead() throws IOException {
        try (HttpTransport transport = open("token: given, tokenFile: file")) {
            ask(transport);
            Files.writeString(folder.resolve("file"), "from-file");
            ask(transport);
            Files.delete(folder.resolve("file"));
            ask(transport);
        }
        assertThat(shown()).containsExactly("Bearer given", "Bearer from-file", "Bearer from-file");
    }

    @Test
    void aTokenStandsInForWhatTheServerRefuses() throws IOException {
        Files.writeString(folder.resolve("file"), "refused");
        try (HttpTransport transport = open("token: given, tokenFile: file")) {
            Files.delete(folder.resolve("file"));
            ask(transport);
        }
        assertThat(shown()).containsExactly("Bearer refused", "Bearer given");
    }

    @Test
    void aFailingPluginIsAnIoExceptionAndComesRightAgain() throws IOException {
        Path status = folder.resolve("status.json");
        Files.writeString(status, "{\"status\": {\"token\": \"refused\"}}");
        try (HttpTransport transport = open("exec: {command: cat, args: ['" + status + "']}")) {
            Files.delete(status);
            assertFails(transport, "exec plugin cat failed with exit code 1");
            Files.writeString(status, "{\"status\": {\"token\": \"a\\nb\"}}");
            assertFails(transport, "exec plugin cat gave a token with a character that no token has");
            Files.writeString(status, "{\"status\": {\"token\": {}}}");
            assertFails(transport, "exec plugin cat did not give an ExecCredential");

            Files.writeString(status, """
                    {"status": {"clientCertificateData": "nonsense", "clientKeyData": "nonsense"}}
                    """);
            assertFails(transport, "exec plugin cat gave a certificate and key that cannot be used: there is no cert");

            Files.writeString(status, "{\"status\": {\"token\": \"good\"}}");
            ask(transport);
        }
    }

    /** A bug, but one of a single request: here a header that OkHttp refuses to send. */
    @Test
    void whateverElseIsThrownIsAnIoExceptionToo() throws IOException {
        ApiCall impossible = new ApiCall("GET", "/", Map.of("Accept", "a\nb"), Optional.empty());
        try (HttpTransport transport = open("token: t")) {
            assertThatThrownBy(() -> transport.call(impossible)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> transport.stream(impossible)).isInstanceOf(IOException.class);
        }
    }

    private static void assertFails(HttpTransport transport, String how) {
        assertThatThrownBy(() -> transport.call(ApiCall.get("/")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(how);
        assertThatThrownBy(() -> transport.stream(ApiCall.get("/"))).isInstanceOf(IOException.class);
    }

    private List<String> shown() {
        return requests.stream().map(told -> told.getFirst("Authorization")).toList();
    }

    private void ask(String user) throws IOException {
        try (HttpTransport transport = open(user)) {
            ask(transport);
        }
    }

    private static void ask(HttpTransport transport) throws IOException {
        try (ApiAnswer answer = transport.call(ApiCall.get("/"))) {
            assertThat(answer.code()).isEqualTo(200);
        }
    }

    private HttpTransport open(String user) throws IOException {
        Path file = Files.writeString(
                folder.resolve("config"), """
                current-context: here
                clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
                contexts: [{name: here, context: {cluster: c, user: u}}]
                users: [{name: u, user: {%s}}]
                """.formatted(server.getAddress().getPort(), user));
        return HttpTransport.open(
                new ConnectionOptions(
                        Optional.of(file), Optional.empty(), Optional.empty(), Map.of(), ConnectionLimits.DEFAULT),
                "0",
                ApiObserver.NONE);
    }
}
