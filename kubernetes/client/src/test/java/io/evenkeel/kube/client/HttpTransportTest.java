package io.evenkeel.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.fail;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport.RateLimitDelay;
import io.evenkeel.kube.client.ConnectionOptions.ConnectionLimits;
import io.evenkeel.testing.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpTransportTest {
    private static final Duration MOMENT = Duration.ofMillis(200);

    @TempDir
    Path folder;

    private final List<String> observed = new ArrayList<>();
    private final List<HttpExchange> requests = new ArrayList<>();
    private final CountDownLatch stalled = new CountDownLatch(1);
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        stalled.countDown();
        server.stop(0);
    }

    private synchronized void remember(HttpExchange request) {
        requests.add(request);
    }

    private void answer(HttpExchange request) throws IOException {
        remember(request);
        String path = request.getRequestURI().getPath();
        String authorization = String.valueOf(request.getRequestHeaders().getFirst("Authorization"));
        if (path.equals("/stall")) {
            request.sendResponseHeaders(200, 0);
            request.getResponseBody().write('x');
            request.getResponseBody().flush();
            awaitEnd();
            return;
        }
        if (path.equals("/flood")) {
            request.sendResponseHeaders(200, 0);
            for (byte[] some = "x".repeat(100).getBytes(StandardCharsets.US_ASCII); stalled.getCount() > 0; ) {
                request.getResponseBody().write(some);
                request.getResponseBody().flush();
            }
            return;
        }
        int code = path.equals("/busy") ? 429 : authorization.equals("Bearer old") ? 401 : 200;
        byte[] body = request.getRequestBody().readAllBytes();
        request.getResponseHeaders().add("Content-Type", "application/json");
        if (code == 429) {
            request.getResponseHeaders().add("Retry-After", "3");
        }
        request.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
        request.getResponseBody().write(body);
        request.close();
    }

    private void awaitEnd() {
        awaitEnd(stalled);
    }

    private static void awaitEnd(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aCallCarriesItsBodyAndWhoWeAre() throws IOException {
        try (HttpTransport transport = open(kubeconfig("token: secret"));
                ApiAnswer answer =
                        transport.call(ApiCall.send("POST", "/echo?a=%2F", "application/json", "{\"x\":1}"))) {
            assertThat(answer.code()).isEqualTo(200);
            assertThat(text(answer)).isEqualTo("{\"x\":1}");
            assertThat(answer.contentType()).isEqualTo("application/json");
        }
        var headers = requests.getFirst().getRequestHeaders();
        assertThat(headers.getFirst("Authorization")).isEqualTo("Bearer secret");
        assertThat(headers.getFirst("User-Agent")).isEqualTo("evenkeel/1.2.3");
        assertThat(headers.getFirst("Accept-Encoding")).isEqualTo("identity");
        assertThat(headers.getFirst("Content-Type")).isEqualTo("application/json");
        assertThat(requests.getFirst().getRequestURI().toString()).isEqualTo("/echo?a=%2F");
        assertThat(observed).containsExactly("POST 200");
    }

    @Test
    void aRefusalIsAnAnswerAndSaysWhenToComeBack() throws IOException {
        try (HttpTransport transport = open(kubeconfig("token: secret"));
                ApiAnswer answer = transport.call(ApiCall.get("/busy"))) {
            assertThat(answer.code()).isEqualTo(429);
            assertThat(answer.retryAfter()).contains(Duration.ofSeconds(3));
        }
    }

    /** Whoever answers in the server's place must not be able to send our token anywhere. */
    @ParameterizedTest
    @CsvSource({
        "301, http://127.0.0.1:%d/echo, to 127.0.0.1:%d",
        "302, /echo, to 127.0.0.1:%d",
        "307, https://elsewhere.example/x?y, to elsewhere.example:443",
        "308, http://[, elsewhere",
    })
    void aRedirectIsNotFollowedAndSaysWhere(int code, String location, String where) throws IOException {
        int port = server.getAddress().getPort();
        server.createContext("/away", request -> {
            remember(request);
            request.getResponseHeaders().add("Location", location.formatted(port));
            request.sendResponseHeaders(code, -1);
            request.close();
        });
        try (HttpTransport transport = open(kubeconfig("token: secret"))) {
            for (boolean stream : List.of(false, true)) {
                ApiCall call = ApiCall.get("/away");
                assertThatThrownBy(() -> {
                            try (ApiAnswer followed = stream ? transport.stream(call) : transport.call(call)) {
                                fail("answered with " + followed.code());
                            }
                        })
                        .isInstanceOf(IOException.class)
                        .hasMessage("the server redirects " + where.formatted(port) + " (" + code
                                + "), which is not followed: is it an API server?");
            }
        }
        assertThat(requests).extracting(HttpExchange::getRequestURI).hasToString("[/away, /away]");
    }

    /** The exception's own message may be the name and nothing else. */
    @Test
    void aHostThatNobodyKnowsIsSaidToBeUnknown() throws IOException {
        try (HttpTransport transport = open(kubeconfig("token: secret").withMaster("http://no-such.invalid"))) {
            assertThatThrownBy(() -> transport.call(ApiCall.get("/")))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("the address of a host cannot be looked up: no-such.invalid");
        }
    }

    @Test
    void aStreamThatFallsSilentIsNoticed() throws IOException {
        ConnectionOptions patient = kubeconfig("token: secret");
        ConnectionOptions impatient = new ConnectionOptions(
                patient.kubeconfig(), patient.context(), patient.master(), patient.environment(), silence(200));
        try (HttpTransport transport = open(impatient)) {
            assertFallsSilent(transport, ApiCall.get("/stall"));
        }
    }

    @Test
    void whoAsksForAStreamMayHaveLessPatience() throws IOException {
        try (HttpTransport transport = open(kubeconfig("token: secret"))) {
            assertFallsSilent(transport, ApiCall.get("/stall").withSilence(Duration.ofMillis(200)));
        }
    }

    /** Not even its headers come. */
    @Test
    void aStreamThatDoesNotBeginIsGivenUp() throws IOException {
        server.createContext("/never", request -> awaitEnd());
        ApiCall call = ApiCall.get("/never").within(new ApiCall.Limits(MOMENT, Patience.LIMIT, Patience.LIMIT));
        try (HttpTransport transport = open(kubeconfig("token: secret"))) {
            assertThatThrownBy(() -> transport.stream(call).close())
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessage("no answer within 0 s");
        }
    }

    /** It is never silent, and never comes to an end. */
    @Test
    void aStreamThatDoesNotEndInTimeIsCut() throws IOException {
        ApiCall call = ApiCall.get("/flood").within(new ApiCall.Limits(Patience.LIMIT, Patience.LIMIT, MOMENT));
        try (HttpTransport transport = open(kubeconfig("token: secret"))) {
            assertThatThrownBy(() -> {
                        try (ApiAnswer answer = transport.stream(call)) {
                            answer.body().transferTo(OutputStream.nullOutputStream());
                        }
                    })
                    .isInstanceOf(InterruptedIOException.class);
        }
    }

    @Test
    void aStreamMayBeExpectedToSpeakMoreOftenThanBefore() throws IOException {
        ApiCall call = ApiCall.get("/stall")
                .within(new ApiCall.Limits(Patience.LIMIT, Patience.LIMIT, Patience.LIMIT.multipliedBy(2)));
        try (HttpTransport transport = open(kubeconfig("token: secret"));
                ApiAnswer answer = transport.stream(call)) {
            assertThat(answer.body().read()).isEqualTo('x');
            answer.expectWithin(MOMENT);
            assertThatThrownBy(() -> answer.body().read()).isInstanceOf(SocketTimeoutException.class);
        }
    }

    /** Longer than it is waited for the beginning, and what comes then is read. */
    @Test
    void aStreamMayBeSilentForLongerThanItsBeginningMayTake() throws Exception {
        Patience.withEverMoreTime(MOMENT, beginning -> {
            CountDownLatch silence = new CountDownLatch(1);
            String path = "/late-" + beginning.toMillis();
            server.createContext(path, request -> {
                request.sendResponseHeaders(200, 0);
                request.getResponseBody().write('x');
                request.getResponseBody().flush();
                awaitEnd(silence);
                request.getResponseBody().write('y');
                request.close();
            });
            ApiCall call = ApiCall.get(path)
                    .within(new ApiCall.Limits(beginning, Patience.LIMIT, Patience.LIMIT.multipliedBy(2)));
            try (HttpTransport transport = open(kubeconfig("token: secret"));
                    ApiAnswer answer = transport.stream(call)) {
                assertThat(answer.body().read()).isEqualTo('x');
                CompletableFuture.delayedExecutor(2 * beginning.toMillis(), TimeUnit.MILLISECONDS)
                        .execute(silence::countDown);
                assertThat(answer.body().read()).isEqualTo('y');
            } finally {
                silence.countDown();
            }
        });
    }

    /** At the latest after what was sent; on a busy machine that may come too late already. */
    private static void assertFallsSilent(HttpTransport transport, ApiCall call) {
        assertThatThrownBy(() -> {
                    try (ApiAnswer answer = transport.stream(call)) {
                        assertThat(answer.body().read()).isEqualTo('x');
                        answer.body().read();
                    }
                })
                .isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void aStreamIsCutOffWhileAnotherThreadWaitsForMore() throws Exception {
        assertThat(failureOfReaderCutOff("/stall")).isInstanceOf(IOException.class);
    }

    /** Closing it from the other thread broke what the reader had under its hands, now and then. */
    @RepeatedTest(50)
    void aStreamIsCutOffWhileAnotherThreadReadsIt() throws Exception {
        assertThat(failureOfReaderCutOff("/flood")).isInstanceOf(IOException.class);
    }

    private Throwable failureOfReaderCutOff(String path) throws Exception {
        try (HttpTransport transport = open(kubeconfig("token: secret"));
                ApiAnswer answer = transport.stream(ApiCall.get(path))) {
            InputStream body = answer.body();
            assertThat(body.read()).isEqualTo('x');
            CompletableFuture<Throwable> failure = new CompletableFuture<>();
            Thread.ofVirtual()
                    .start(() -> failure.complete(catchThrowable(() -> {
                        try (answer) {
                            while (body.read() >= 0) {}
                        }
                    })));
            answer.cutOff();
            return failure.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void aRefusedExecCredentialIsRenewedOnce() throws IOException {
        Path plugin = plugin("""
            #!/bin/sh
            if [ -e "$COUNT" ]; then token=new; else token=old; touch "$COUNT"; fi
            echo "{\\"kind\\":\\"ExecCredential\\",\\"status\\":{\\"token\\":\\"$token\\"}}"
            """);
        ConnectionOptions options = kubeconfig("exec: {apiVersion: client.authentication.k8s.io/v1, command: ./"
                + plugin.getFileName() + ", env: [{name: COUNT, value: " + folder.resolve("count") + "}]}");

        try (HttpTransport transport = open(options);
                ApiAnswer answer = transport.call(ApiCall.get("/x"))) {
            assertThat(answer.code()).isEqualTo(200);
        }
        assertThat(observed).containsExactly("GET 401", "GET 200");
    }

    @Test
    void aFixedTokenThatIsRefusedIsNotTriedTwice() throws IOException {
        try (HttpTransport transport = open(kubeconfig("token: old"));
                ApiAnswer answer = transport.call(ApiCall.get("/x"))) {
            assertThat(answer.code()).isEqualTo(401);
        }
        assertThat(observed).containsExactly("GET 401");
    }

    @Test
    void aTokenFileIsRead() throws IOException {
        Files.writeString(folder.resolve("token"), "from-file\n");
        try (HttpTransport transport = open(kubeconfig("tokenFile: token"));
                ApiAnswer answer = transport.call(ApiCall.get("/x"))) {
            assertThat(answer.code()).isEqualTo(200);
        }
        assertThat(requests.getFirst().getRequestHeaders().getFirst("Authorization"))
                .isEqualTo("Bearer from-file");
    }

    @Test
    void aServerThatIsNotThereIsObservedAsAnError() throws IOException {
        ConnectionOptions options = kubeconfig("token: x").withMaster("http://127.0.0.1:1");
        try (HttpTransport transport = open(options)) {
            assertThatThrownBy(() -> transport.call(ApiCall.get("/x"))).isInstanceOf(IOException.class);
        }
        assertThat(observed).containsExactly("GET <error>");
    }

    @Test
    void howLongOurOwnLimitsHeldARequestBackIsObservedWhereThereAreAny() throws IOException {
        try (HttpTransport transport = open(kubeconfig("token: x"))) {
            transport.call(ApiCall.get("/free")).close();
            RateLimitDelay.by(7, () -> answerTo(transport)).close();
        }
        assertThat(observed).containsExactly("GET 200", "GET held back for 7", "GET 200");
    }

    private static ApiAnswer answerTo(HttpTransport transport) {
        try {
            return transport.call(ApiCall.get("/limited"));
        } catch (IOException unexpected) {
            throw new UncheckedIOException(unexpected);
        }
    }

    private HttpTransport open(ConnectionOptions options) {
        return HttpTransport.open(options, "1.2.3", new ApiObserver() {
            @Override
            public void requested(String method, String host, String result, long nanos) {
                observed.add(method + " " + result);
            }

            @Override
            public void heldBack(String method, String host, long nanos) {
                observed.add(method + " held back for " + nanos);
            }
        });
    }

    private static String text(ApiAnswer answer) throws IOException {
        return new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
    }

    private Path plugin(String script) throws IOException {
        Path plugin = folder.resolve("plugin.sh");
        Files.writeString(plugin, script);
        Files.setPosixFilePermissions(plugin, PosixFilePermissions.fromString("rwx------"));
        return plugin;
    }

    /** Patient but for that. */
    private static ConnectionLimits silence(long millis) {
        return new ConnectionLimits(Patience.LIMIT, Patience.LIMIT, Duration.ofSeconds(1), Duration.ofMillis(millis));
    }

    private ConnectionOptions kubeconfig(String user) throws IOException {
        Path file = folder.resolve("config");
        Files.writeString(file, """
            apiVersion: v1
            kind: Config
            current-context: here
            clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
            contexts: [{name: here, context: {cluster: c, user: u}}]
            users: [{name: u, user: {%s}}]
            """.formatted(server.getAddress().getPort(), user));
        return new ConnectionOptions(
                Optional.of(file),
                Optional.empty(),
                Optional.empty(),
                Map.of("PATH", System.getenv().getOrDefault("PATH", "/bin")),
                silence(Patience.LIMIT.toMillis()));
    }
}
