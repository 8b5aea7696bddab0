package io.evenkeel.tools.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import io.evenkeel.app.live.ServedEvenkeel;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.Tokens.User;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import io.evenkeel.testing.Ports;
import io.evenkeel.tls.TrustsAnybody;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests to a running Evenkeel from those who may not, who mean harm, or who do not listen. */
@TestInstance(Lifecycle.PER_CLASS)
class HostileRequestsTest {
    private static final String SECRET = "merger-with-acme";
    private static final String DECISIONS = "/page/api/decisions";

    private HollowWorld world;
    private ServedEvenkeel evenkeel;
    private HttpClient client;

    @BeforeAll
    void open(@TempDir Path directory) throws IOException, GeneralSecurityException {
        SSLContext trusting = SSLContext.getInstance("TLS");
        trusting.init(null, new TrustManager[] {new TrustsAnybody()}, null);
        client = HttpClient.newBuilder().sslContext(trusting).build();
        world = HollowWorld.start(WorldOptions.DEFAULT.withNodes(3, 3, Capacity.of("4", "8Gi", 20)));
        world.cluster().tokens().add("of-reader", User.named("reader"));
        world.cluster().tokens().add("of-nobody", User.named("nobody"));
        world.cluster().authorize((user, asked) -> switch (user.name()) {
            case "reader" -> asked.verb().equals("get") && asked.name().startsWith("/page/api/");
            case "nobody", "system:anonymous" -> false;
            default -> true;
        });
        evenkeel = new ServedEvenkeel(
                world.cluster().writeKubeconfig(directory.resolve("kubeconfig.yaml")), Ports.unused());
        pod(SECRET, "9");
        await().untilAsserted(() ->
                assertThat(get(evenkeel.plain() + "/page/api/waiting").body()).contains(SECRET));
    }

    @AfterAll
    void close() {
        client.close();
        evenkeel.close();
        world.close();
    }

    private HollowObjects objects() {
        return world.cluster().objects();
    }

    private void pod(String name, String cpu) {
        objects().create("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s"},"spec":{"schedulerName":"evenkeel",
                 "containers":[{"name":"main","image":"x","resources":{"requests":{"cpu":"%s"}}}]}}
                """.formatted(name, cpu));
    }

    private HttpResponse<String> get(String uri, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(uri));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    /** Sends a request as it is, to the port for everybody; what comes back until the server hangs up. */
    private String raw(String requestLine, String... headers) throws IOException {
        return rawAt("127.0.0.1", requestLine, headers);
    }

    private String rawAt(String host, String requestLine, String... headers) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", evenkeel.plain().getPort())) {
            send(socket, host, requestLine, headers);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void send(Socket socket, String host, String requestLine, String... headers) throws IOException {
        socket.setSoTimeout(30_000);
        String more = Stream.of(headers).map(header -> header + "\r\n").collect(Collectors.joining());
        socket.getOutputStream()
                .write("%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%s\r\n"
                        .formatted(requestLine, host, more)
                        .getBytes(StandardCharsets.UTF_8));
    }

    /** All that a running Evenkeel serves with data in it. */
    static Stream<String> guarded() throws IOException {
        JsonObject paths = Trees.parse(Files.readString(Path.of("..", "docs", "openapi.json")))
                .getAsJsonObject("paths");
        return paths.keySet().stream()
                .filter(path -> !path.matches("/page/?|/(live|ready|health)z.*"))
                .map(path -> path.replace("{namespace}", "default").replace("{name}", "any"));
    }

    static Stream<String> ofThePage() throws IOException {
        return guarded().filter(path -> path.startsWith("/page/api/") && !path.matches(".*/(apply|moment)"));
    }

    @ParameterizedTest
    @MethodSource("guarded")
    void whoMayNotSeesNothing(String path) throws Exception {
        String uri = evenkeel.secure() + path;
        HttpResponse<String> unknown = get(uri);
        HttpResponse<String> wrong = get(uri, "Authorization", "Bearer wrong");
        HttpResponse<String> without = get(uri, "Authorization", "Bearer of-nobody");

        assertThat(unknown.statusCode()).isEqualTo(403);
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(without.statusCode()).isEqualTo(403);
        for (HttpResponse<String> answer : List.of(unknown, wrong, without)) {
            assertThat(Trees.text(Trees.parse(answer.body()), "kind")).isEqualTo("Status");
            assertThat(answer.body()).doesNotContain(SECRET);
            assertThat(answer.headers().map()).doesNotContainKey("set-cookie");
        }
    }

    @Test
    void whoMaySeesIt() throws Exception {
        HttpResponse<String> answer = get(evenkeel.secure() + "/page/api/waiting", "Authorization", "Bearer of-reader");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains(SECRET);
        assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(answer.headers().map()).doesNotContainKey("set-cookie");
    }

    @ParameterizedTest
    @MethodSource("ofThePage")
    void pagesOfOtherSitesLearnNothingEvenWithAToken(String path) throws Exception {
        String uri = evenkeel.secure() + path;
        for (List<String> header : List.of(
                List.of("Origin", "https://elsewhere.example"),
                List.of("Origin", "null"),
                List.of("Origin", evenkeel.secure() + ".elsewhere.example"),
                List.of("Sec-Fetch-Site", "cross-site"),
                List.of("Sec-Fetch-Site", "same-site"))) {
            HttpResponse<String> answer =
                    get(uri, "Authorization", "Bearer of-reader", header.getFirst(), header.getLast());

            assertThat(answer.statusCode()).as("%s", header).isEqualTo(403);
            assertThat(answer.body()).contains("not to pages of other sites");
            assertThat(answer.headers().firstValue("Access-Control-Allow-Origin"))
                    .isEmpty();
        }
    }

    /** A name of somebody's that leads to 127.0.0.1, where everybody is answered. */
    @ParameterizedTest
    @MethodSource("ofThePage")
    void whereNobodyIsAskedForATokenANameIsNotAnswered(String path) throws IOException {
        for (String host :
                List.of("elsewhere.example", "127.0.0.1.elsewhere.example", "localhost.elsewhere.example:80")) {
            assertThat(rawAt(host, "GET " + path))
                    .as(host)
                    .startsWith("HTTP/1.1 403 ")
                    .doesNotContain(SECRET);
        }
    }

    @ParameterizedTest
    @MethodSource("ofThePage")
    void nothingIsWrittenWhateverTheMethod(String path) throws IOException {
        for (String method : List.of("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "NONSENSE")) {
            boolean isConfiguration = method.equals("PUT") && path.contains("/whatif");
            assertThat(raw(method + " " + path, "Content-Length: 0"))
                    .as(method)
                    .startsWith(isConfiguration ? "HTTP/1.1 400 " : "HTTP/1.1 405 ")
                    .contains(isConfiguration ? "the document is empty" : "\r\nAllow: ")
                    .doesNotContain(SECRET, "Access-Control");
        }
    }

    @ParameterizedTest
    @MethodSource("ofThePage")
    void whoAsksForHeadersGetsNoMore(String path) throws IOException {
        assertThat(raw("HEAD " + path)).contains("\r\nContent-Type: ").endsWith("\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/page/api/node?name=%zz",
                "/page/api/node?name=<script>",
                "/page/api/state?%",
                "/page/api/node?name=a&name=b",
                "/page/api/cluster?colour=cpu&color=cpu",
                "/page/api/state?__proto__=x",
                "/page/api/pod?pod=../x",
                "/page/api/pod?pod=default/..",
                "/page/api/pod?pod=default/x%3Fwatch=true",
                "/page/api/pod?pod=default/x%0D%0AEvil:%20yes",
                "/page/api/pod?pod=default%2Fx%2Fstatus",
                "/page/api/pod?pod=default/x%00",
                "/page/api/whatif?drain=%0Anode-0",
                "/page/api/whatif?scale=%1B[2J",
                "/page/api/whatif?like=%40%2Fetc%2Fpasswd&addNodes=1",
                "/page/api/whatif?addNodes=99999999999999999999&like=node-0",
                "/page/api/whatif?addNodes=20000&like=node-0",
            })
    void whatMakesNoSenseIsRefusedInALineAndAskedOfNobody(String target) throws IOException {
        long asked = world.cluster().requestLog().requests().stream()
                .filter(request -> request.path().contains("/pods/"))
                .count();

        String answer = raw("GET " + target);

        assertThat(answer).startsWith("HTTP/1.1 400 ");
        String body = answer.substring(answer.indexOf("\r\n\r\n") + 4).strip();
        assertThat(body).doesNotContain("\n", "\u001b", "Exception").hasSizeLessThan(1_000);
        assertThat(world.cluster().requestLog().requests().stream()
                        .filter(request -> request.path().contains("/pods/"))
                        .count())
                .isEqualTo(asked);
    }

    @Test
    void whatIsTooLongIsRefused() throws IOException {
        assertThat(raw("GET /page/api/node?name=" + "a".repeat(100_000))).startsWith("HTTP/1.1 431 ");
        assertThat(raw("GET /page/api/state", "Last-Event-ID: " + "1".repeat(100_000)))
                .startsWith("HTTP/1.1 431 ");
        assertThat(raw("GET /page/api/node?name=" + "a".repeat(60_000)))
                .startsWith("HTTP/1.1 404 ")
                .hasSizeLessThan(1_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/page/../debug/queue",
                "/page/%2e%2e/debug/queue",
                "/page/..%2fdebug%2fqueue",
                "/page/app.js/../../debug/queue",
                "/page/Page.class",
                "/page/..%2FPage.class",
                "/page/%2Fetc%2Fpasswd",
                "//etc/passwd",
                "/page//app.js",
                "/page/app.js/",
                "/page/app.js%00.html",
                "/page/APP.JS",
                "/page/api/",
                "/page/api/apply",
            })
    void noPathLeadsOutOfThePage(String path) throws IOException {
        assertThat(raw("GET " + path)).matches("(?s)HTTP/1\\.1 40[04] .*").doesNotContain(SECRET);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/page/", "/page/index.html", "/page/app.js", "/page/style.css", "/page/favicon.svg"})
    void aFileIsForEverybodyAndForbidsAllThatIsNotItsOwn(String path) throws Exception {
        HttpResponse<String> file = get(evenkeel.secure() + path);

        assertThat(file.statusCode()).isEqualTo(200);
        HttpHeaders headers = file.headers();
        assertThat(headers.firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy)
                        .startsWith("default-src 'none'")
                        .contains("frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'")
                        .doesNotContain("unsafe", "*", "http"));
        assertThat(headers.firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(headers.firstValue("Referrer-Policy")).hasValue("no-referrer");
        assertThat(headers.firstValue("Cross-Origin-Opener-Policy")).hasValue("same-origin");
        assertThat(headers.firstValue("Cross-Origin-Resource-Policy")).hasValue("same-origin");
        assertThat(headers.map()).doesNotContainKey("set-cookie");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1e3", "99999999999999999999", "999999999999999999", "\u202e1", "1, 2", "'; --"})
    void anEventsNumberThatThereIsNotBeginsFromTheFirst(String last) throws Exception {
        try (Watching watching = watching("Last-Event-ID: " + last)) {
            assertThat(watching.lines.readLine()).startsWith("HTTP/1.1 200 ");
            assertThat(watching.lines
                            .lines()
                            .filter(line -> line.contains(SECRET))
                            .findFirst())
                    .isPresent();
        }
    }

    /** A page that is looked at, by a connection of its own. */
    private record Watching(Socket socket, BufferedReader lines) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private Watching watching(String... headers) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress("127.0.0.1", evenkeel.plain().getPort()));
        send(socket, "127.0.0.1", "GET " + DECISIONS, headers);
        return new Watching(
                socket, new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8)));
    }

    @Test
    void thereIsAnEndToHowManyLookAndWhoLeavesMakesRoom() throws Exception {
        List<Watching> all = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                all.add(watching());
            }
            for (Watching each : all) {
                assertThat(each.lines.readLine()).startsWith("HTTP/1.1 200 ");
            }
            assertThat(raw("GET " + DECISIONS))
                    .startsWith("HTTP/1.1 429 ")
                    .contains("\r\nRetry-After: 10\r\n", "200 pages are open");
            assertThat(raw("GET /page/api/state")).startsWith("HTTP/1.1 200 ");

            all.removeFirst().close();

            await().untilAsserted(() -> {
                try (Watching again = watching()) {
                    assertThat(again.lines.readLine()).startsWith("HTTP/1.1 200 ");
                }
            });
        } finally {
            for (Watching each : all) {
                each.close();
            }
        }
    }

    /** They hold a thread that waits, and no more: what they have missed is kept for nobody. */
    @Test
    void whoNeverReadsHoldsUpNobody() throws Exception {
        List<Watching> deaf = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                deaf.add(watching());
            }
            for (int i = 0; i < 300; i++) {
                refuse("no " + i + " " + "x".repeat(5_000));
            }
            try (Watching hearing = watching()) {
                refuse("the last one");

                assertThat(hearing.lines
                                .lines()
                                .filter(line -> line.contains("the last one"))
                                .findFirst())
                        .isPresent();
            }
        } finally {
            for (Watching each : deaf) {
                each.close();
            }
        }
    }

    private void refuse(String message) {
        objects().patchStatus(ResourceTable.PODS, "default", SECRET, """
                {"status":{"conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"%s"}]}}""".formatted(message));
    }
}
