package io.evenkeel.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.client.ConnectionOptions.ConnectionLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a proxy hears first of a client; it then hangs up. */
class ProxyTest {
    private static final int ENOUGH = 1 << 12;

    @TempDir
    Path folder;

    private final CompletableFuture<String> heard = new CompletableFuture<>();
    private ServerSocket proxy;

    @BeforeEach
    void listen() throws IOException {
        proxy = new ServerSocket();
        proxy.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofVirtual().start(this::hear);
    }

    private void hear() {
        try (Socket client = proxy.accept()) {
            byte[] first = new byte[ENOUGH];
            int length = client.getInputStream().read(first);
            heard.complete(new String(first, 0, length, StandardCharsets.ISO_8859_1));
        } catch (IOException closed) {
            heard.completeExceptionally(closed);
        }
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
    }

    @Test
    void aTunnelIsAskedForToAServerWithTls() throws Exception {
        ask("server: 'https://api.example:6443', proxy-url: 'http://me:secret@" + address() + "'", Map.of());

        assertThat(heard.get())
                .startsWith("CONNECT api.example:6443 HTTP/1.1\r\n")
                .contains("Proxy-Authorization: Basic bWU6c2VjcmV0\r\n");
    }

    @Test
    void socksIsSpokenToWhoSpeaksIt() throws Exception {
        ask("server: 'https://api.example:6443', proxy-url: 'socks5://" + address() + "'", Map.of());

        assertThat(heard.get()).startsWith("\5");
    }

    @Test
    void theEnvironmentMayNameOne() throws Exception {
        ask("server: 'https://api.example:6443'", Map.of("HTTPS_PROXY", address()));

        assertThat(heard.get()).startsWith("CONNECT api.example:6443");
    }

    @Test
    void aProxyOfTheClusterGoesOverThatOfTheEnvironment() throws Exception {
        ask(
                "server: 'https://api.example:6443', proxy-url: 'http://" + address() + "'",
                Map.of("HTTPS_PROXY", "http://127.0.0.1:1", "NO_PROXY", "*"));

        assertThat(heard.get()).startsWith("CONNECT api.example:6443");
    }

    @Test
    void portsAreTheUsualOnesWhereNoneIsGiven() {
        assertThat(ProxyServer.at("http://p")).isEqualTo(new ProxyServer(Proxy.Type.HTTP, "p", 80, Optional.empty()));
        assertThat(ProxyServer.at("https://p").port()).isEqualTo(443);
        assertThat(ProxyServer.at("socks5://[::1]"))
                .isEqualTo(new ProxyServer(Proxy.Type.SOCKS, "::1", 1080, Optional.empty()));
    }

    @Test
    void anythingElseIsAMistake() {
        assertMistake("http://p:99999", "has the port 99999: it must be between 1 and 65535");
        assertMistake("socks5://p:0", "has the port 0: it must be between 1 and 65535");
        assertMistake("ftp://p", "has the scheme \"ftp\": it must be http, https or socks5");
        assertMistake("p:3128", "is not the URL of a proxy: expected something like http://10.0.0.1:3128");
        assertMistake("http://", "is not the URL of a proxy: expected something like http://10.0.0.1:3128");
        assertMistake("socks5://me:secret@p", "has a user, which works with http proxies only");
    }

    private void assertMistake(String url, String what) {
        assertThatThrownBy(() -> open("server: 'https://api.example', proxy-url: '" + url + "'", Map.of()))
                .isInstanceOf(ClientConfigurationException.class)
                .hasMessage("kubeconfig " + folder.resolve("config") + ": clusters[c].cluster.proxy-url " + what);
    }

    private String address() {
        return "127.0.0.1:" + proxy.getLocalPort();
    }

    private void ask(String cluster, Map<String, String> environment) throws IOException {
        try (HttpTransport transport = open(cluster, environment)) {
            assertThatThrownBy(() -> transport.call(ApiCall.get("/"))).isInstanceOf(IOException.class);
        }
    }

    private HttpTransport open(String cluster, Map<String, String> environment) throws IOException {
        Path file = Files.writeString(folder.resolve("config"), """
                current-context: here
                clusters: [{name: c, cluster: {%s}}]
                contexts: [{name: here, context: {cluster: c}}]
                """.formatted(cluster));
        ConnectionLimits limits = new ConnectionLimits(
                Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(1), Duration.ofSeconds(10));
        return HttpTransport.open(
                new ConnectionOptions(Optional.of(file), Optional.empty(), Optional.empty(), environment, limits),
                "0",
                ApiObserver.NONE);
    }
}
