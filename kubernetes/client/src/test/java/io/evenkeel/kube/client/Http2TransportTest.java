package io.evenkeel.kube.client;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport.RateLimitDelay;
import io.evenkeel.kube.api.ApiTransport.ResponseHandler;
import io.evenkeel.testing.Patience;
import io.evenkeel.tls.SelfSignedCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLException;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import mockwebserver3.SocketEffect;
import okhttp3.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The way to a server that speaks HTTP/2, as an API server does. */
class Http2TransportTest {
    private static final SelfSignedCertificate CERTIFICATE =
            SelfSignedCertificate.forHosts(List.of("127.0.0.1"), Duration.ofDays(1));
    private static final SelfSignedCertificate NAMED =
            SelfSignedCertificate.forHosts(List.of("api.example"), Duration.ofDays(1));
    private static final String TRUSTED = "certificate-authority-data: " + TestIdentity.base64(CERTIFICATE.pem());

    @TempDir
    Path folder;

    private final List<RecordedRequest> requests = new CopyOnWriteArrayList<>();
    private final List<String> observed = new CopyOnWriteArrayList<>();
    private final List<String> sizes = new CopyOnWriteArrayList<>();
    private final Told told = new Told();
    private final Queue<MockResponse> answers = new ArrayDeque<>();
    private final MockWebServer server = new MockWebServer();
    private volatile String refused = "none";

    /** What a begun call was told. */
    private static final class Told implements ResponseHandler {
        private final List<String> ends = new CopyOnWriteArrayList<>();

        @Override
        public void answered(Answered answer) {
            ends.add(answer.code() + " " + new String(answer.body(), StandardCharsets.UTF_8));
        }

        @Override
        public void unanswered(IOException why) {
            ends.add(String.valueOf(why.getMessage()));
        }

        private List<String> awaited() {
            await().until(() -> !ends.isEmpty());
            return ends;
        }
    }

    @BeforeEach
    void serve() {
        server.setDispatcher(new Dispatcher() {
            @Override
            public synchronized MockResponse dispatch(RecordedRequest request) {
                requests.add(request);
                return ("Bearer " + refused).equals(request.getHeaders().get("Authorization"))
                        ? new MockResponse.Builder().code(401).build()
                        : answer();
            }

            // What is answered without a look at the request.
            @Override
            public synchronized MockResponse peek() {
                boolean isBreach = Optional.ofNullable(answers.peek())
                        .map(MockResponse::getOnRequestStart)
                        .isPresent();
                return isBreach ? answers.remove() : super.peek();
            }
        });
    }

    private MockResponse answer() {
        return Optional.ofNullable(answers.poll())
                .orElseGet(() -> new MockResponse.Builder().code(200).build());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void start(SelfSignedCertificate certificate) throws IOException {
        server.useHttps(certificate.sslContext().getSocketFactory());
        server.start(InetAddress.ofLiteral("127.0.0.1"), 0);
    }

    private HttpTransport open(String cluster, String user) throws IOException {
        Path file = Files.writeString(folder.resolve("config"), """
            current-context: here
            clusters: [{name: c, cluster: {server: "https://127.0.0.1:%d/prefix/", %s}}]
            contexts: [{name: here, context: {cluster: c, user: u}}]
            users: [{name: u, user: {%s}}]
            """.formatted(server.getPort(), cluster, user));
        return HttpTransport.open(ConnectionOptions.of(Optional.of(file)), "1.2.3", new ApiObserver() {
            @Override
            public void requested(String method, String host, String result, long nanos) {
                observed.add(method + " " + result);
            }

            @Override
            public void sent(String method, String host, long bytes) {
                sizes.add(method + " sent " + bytes);
            }

            @Override
            public void received(String method, String host, long bytes) {
                sizes.add(method + " received " + bytes);
            }

            @Override
            public void heldBack(String method, String host, long nanos) {
                observed.add(method + " held back for " + nanos);
            }
        });
    }

    private static int code(HttpTransport transport) throws IOException {
        try (ApiAnswer answer = transport.call(ApiCall.get("/x"))) {
            return answer.code();
        }
    }

    /** Calls are begun where there is a connection. */
    private HttpTransport connected(String user) throws IOException {
        start(CERTIFICATE);
        HttpTransport transport = open(TRUSTED, user);
        assertThat(transport.begin(ApiCall.get("/early"), told)).isFalse();
        assertThat(code(transport)).isEqualTo(200);
        requests.clear();
        observed.clear();
        sizes.clear();
        return transport;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCallCarriesItsBodyAndWhoWeAre(boolean begun) throws IOException {
        try (HttpTransport transport = connected("token: secret, as: jane, as-groups: [a, b]")) {
            ApiCall call = ApiCall.send("POST", "/echo?a=%2F", "application/json", "{\"x\":1}");
            answers.add(new MockResponse.Builder().code(200).body("taken").build());
            if (begun) {
                assertThat(transport.begin(call, told)).isTrue();
                assertThat(told.awaited()).hasSize(1).first().asString().startsWith("200 ");
            } else {
                transport.call(call).close();
            }
        }
        RecordedRequest request = requests.getFirst();
        assertThat(request.getVersion()).isEqualTo("HTTP/2");
        assertThat(request.getMethod()).isEqualTo("POST");
        assertThat(request.getTarget()).isEqualTo("/prefix/echo?a=%2F");
        assertThat(request.getHeaders().get("Authorization")).isEqualTo("Bearer secret");
        assertThat(request.getHeaders().get("User-Agent")).isEqualTo("evenkeel/1.2.3");
        assertThat(request.getHeaders().get("Impersonate-User")).isEqualTo("jane");
        assertThat(request.getHeaders().values("Impersonate-Group")).containsExactly("a", "b");
        assertThat(request.getHeaders().get("Content-Type")).isEqualTo("application/json");
        assertThat(request.getHeaders().get("Accept-Encoding")).isNull();
        assertThat(request.getBody().utf8()).isEqualTo("{\"x\":1}");
        assertThat(observed).containsExactly("POST 200");
        assertThat(sizes).containsExactlyInAnyOrder("POST sent 7", "POST received 5");
    }

    @Test
    void aServerIsTrustedForItsNameOrAddressOrWhereSomebodyInsists() throws IOException {
        start(NAMED);
        String authority = "certificate-authority-data: " + TestIdentity.base64(NAMED.pem());
        for (String trust : List.of(authority + ", tls-server-name: api.example", "insecure-skip-tls-verify: true")) {
            try (HttpTransport transport = open(trust, "token: t")) {
                assertThat(code(transport)).isEqualTo(200);
            }
        }
        assertThat(requests).hasSize(2).allMatch(request -> request.getVersion().equals("HTTP/2"));
        assertRefused(authority, "the server's certificate is not for this name or address");
        assertRefused(
                TRUSTED + ", tls-server-name: api.example",
                "the server's certificate is not trusted by the configured certificate authority");
        assertThat(requests).as("none was told a token").hasSize(2);
    }

    private void assertRefused(String trust, String why) throws IOException {
        try (HttpTransport transport = open(trust, "token: t")) {
            assertThatThrownBy(() -> code(transport))
                    .isInstanceOf(SSLException.class)
                    .hasMessage(why);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRefusedCredentialIsRenewed(boolean begun) throws IOException {
        Files.writeString(folder.resolve("token"), "old");
        try (HttpTransport transport = connected("tokenFile: token")) {
            refused = "old";
            Files.writeString(folder.resolve("token"), "new");
            if (begun) {
                assertThat(transport.begin(ApiCall.get("/x"), told)).isTrue();
                assertThat(told.awaited()).containsExactly("200 ");
            } else {
                assertThat(code(transport)).isEqualTo(200);
            }
        }
        assertThat(requests.getLast().getHeaders().get("Authorization")).isEqualTo("Bearer new");
        assertThat(observed).containsExactly("GET 401", "GET 200");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRedirectIsNotFollowed(boolean begun) throws IOException {
        String refusal =
                "the server redirects to elsewhere.example:443 (307), which is not followed: is it an API server?";
        try (HttpTransport transport = connected("token: t")) {
            for (int i = 0; i < 2; i++) {
                answers.add(new MockResponse.Builder()
                        .code(307)
                        .addHeader("Location", "https://elsewhere.example/")
                        .build());
            }
            if (begun) {
                assertThat(transport.begin(ApiCall.get("/x"), told)).isTrue();
                assertThat(told.awaited()).containsExactly(refusal);
            } else {
                assertThatThrownBy(() -> code(transport)).hasMessage(refusal);
            }
        }
    }

    @Test
    void aBegunCallThatIsBrokenOffIsNotMadeAgain() throws IOException {
        try (HttpTransport transport = connected("token: t")) {
            answers.add(new MockResponse.Builder()
                    .onRequestStart(new SocketEffect.CloseStream(2))
                    .build());
            assertThat(transport.begin(ApiCall.get("/x"), told)).isTrue();

            assertThat(told.awaited()).containsExactly("the server has broken off the call, with HTTP/2 error 2");
            assertThat(code(transport)).isEqualTo(200);
        }
        assertThat(told.ends).hasSize(1);
        assertThat(server.getRequestCount()).as("with the first and the last").isEqualTo(3);
        assertThat(observed).containsExactly("GET <error>", "GET 200");
    }

    @Test
    void aBegunCallThatIsRefusedIsMadeAgain() throws IOException {
        try (HttpTransport transport = connected("token: t")) {
            answers.add(new MockResponse.Builder()
                    .onRequestStart(new SocketEffect.CloseStream(7))
                    .build());
            assertThat(transport.begin(ApiCall.get("/x"), told)).isTrue();

            assertThat(told.awaited()).containsExactly("200 ");
        }
        assertThat(server.getRequestCount())
                .as("with the first, which connected")
                .isEqualTo(3);
        assertThat(observed).containsExactly("GET 200");
    }

    @Test
    void aRefusalOfABegunCallSaysWhy() throws IOException {
        try (HttpTransport transport = connected("token: t")) {
            answers.add(new MockResponse.Builder().code(409).body("taken").build());
            assertThat(RateLimitDelay.by(7, () -> transport.begin(ApiCall.get("/x"), told)))
                    .isTrue();

            assertThat(told.awaited()).containsExactly("409 taken");
        }
        assertThat(observed).containsExactlyInAnyOrder("GET held back for 7", "GET 409");
    }

    @Test
    void whatIsAtHandIsUsedAtOnceAndNothingElse() throws IOException {
        start(CERTIFICATE);
        Files.writeString(folder.resolve("token"), "old");
        long nanos = Patience.LIMIT.toNanos();
        try (HttpTransport transport = open(TRUSTED, "tokenFile: token")) {
            assertThat(transport.callAtHand(ApiCall.get("/x"), nanos))
                    .as("no connection")
                    .isEmpty();
            assertThat(requests).isEmpty();
            assertThat(code(transport)).isEqualTo(200);

            answers.add(new MockResponse.Builder().code(200).body("taken").build());
            ApiCall call = ApiCall.send("PUT", "/x", "application/json", "{}");
            try (ApiAnswer answer = transport.callAtHand(call, nanos).orElseThrow()) {
                assertThat(answer.body()).hasContent("taken");
            }

            refused = "old";
            Files.writeString(folder.resolve("token"), "new");
            assertThat(transport.callAtHand(ApiCall.get("/x"), nanos))
                    .as("no valid token")
                    .isEmpty();
            assertThat(code(transport)).isEqualTo(200);
        }
        assertThat(observed).containsExactly("GET 200", "PUT 200", "GET 401", "GET 401", "GET 200");
        assertThat(sizes).contains("PUT sent 2", "PUT received 5");
    }

    @Test
    void aServerWithoutHttp2IsAskedByTheOtherClient() throws IOException {
        server.setProtocols(List.of(Protocol.HTTP_1_1));
        start(CERTIFICATE);
        try (HttpTransport transport = open(TRUSTED, "token: t")) {
            assertThat(code(transport)).isEqualTo(200);
            assertThat(transport.begin(ApiCall.get("/x"), told)).isFalse();
            assertThat(code(transport)).isEqualTo(200);
        }
        assertThat(requests).hasSize(2).allMatch(request -> request.getVersion().equals("HTTP/1.1"));
        assertThat(told.ends).isEmpty();
    }
}
