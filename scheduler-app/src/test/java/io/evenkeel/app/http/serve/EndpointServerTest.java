package io.evenkeel.app.http.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.app.http.Answer.StreamedReply;
import io.evenkeel.app.http.Client;
import io.evenkeel.app.http.EndpointServer;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Routes;
import io.evenkeel.app.http.Routes.HealthCheck;
import io.evenkeel.app.http.serve.ClusterTrust.TrustedClients;
import io.evenkeel.app.http.serve.TlsOptions.ServerTls;
import io.evenkeel.app.http.serve.TlsOptions.TlsVersion;
import io.evenkeel.testing.Patience;
import io.evenkeel.tls.SelfSignedCertificate;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EndpointServerTest {
    private final AtomicReference<String> trouble = new AtomicReference<>("");
    private final Routes routes = new Routes()
            .addHealth("/healthz", List.of())
            .addHealth(
                    "/readyz",
                    List.of(new HealthCheck(
                            "informer-sync", () -> Optional.of(trouble.get()).filter(text -> !text.isEmpty()))))
            .addDump("/debug/queue", () -> "three pods", () -> "{\"pods\":3}")
            .addConfigz(() -> "{\"parallelism\":16}")
            .add("/long", request -> Reply.text(200, "spread ".repeat(1000)))
            .add(
                    "/streamed",
                    request -> new StreamedReply("text/plain", out -> {
                        for (int i = 0; i < 100_000; i++) {
                            out.write("spread ".getBytes(StandardCharsets.UTF_8));
                        }
                    }))
            .addSetter("/flag", (request, value) -> Reply.text(200, "set to " + value))
            .add("/fails", request -> {
                throw new IllegalStateException("bug");
            });
    private final EndpointServer server = plain();
    private final Client client = new Client(server);

    private EndpointServer plain() {
        try {
            return EndpointServer.plain(Client.freePort(), routes, AccessControl.OPEN_TO_ALL, Client.UNHARMED);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aFlagIsSetByAPutAndOnlyByThat() throws Exception {
        assertThat(client.put("/flag", "4").body()).isEqualTo("set to 4");
        assertThat(client.put("/flag", "").body()).isEqualTo("set to ");
        assertThat(client.put("/flag", "x".repeat(1024)).statusCode()).isEqualTo(200);
        assertThat(client.put("/flag", "x".repeat(1025)).statusCode()).isEqualTo(400);

        for (String method : List.of("GET", "HEAD", "POST", "DELETE")) {
            var refused = client.send(method, "/flag");
            assertThat(refused.statusCode()).as(method).isEqualTo(405);
            assertThat(refused.headers().firstValue("Allow")).as(method).contains("PUT");
        }
        assertThat(client.put("/debug/queue", "4").statusCode()).isEqualTo(405);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void healthIsOkInTwoLetters() throws Exception {
        var response = client.get("/healthz");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("ok");
        assertThat(response.headers().firstValue("Content-Type")).contains("text/plain; charset=utf-8");
    }

    @Test
    void verboseHealthNamesEachCheck() throws Exception {
        assertThat(client.get("/readyz?verbose").body())
                .isEqualTo("[+]ping ok\n[+]informer-sync ok\nreadyz check passed\n");
        assertThat(client.get("/readyz?verbose&exclude=ping&exclude=other").body())
                .isEqualTo("""
                    [+]ping excluded: ok
                    [+]informer-sync ok
                    warn: some health checks cannot be excluded: no matches for "other"
                    readyz check passed
                    """);
    }

    @Test
    void aFailingCheckFailsItsPathAndNoOther() throws Exception {
        trouble.set("pods are not listed yet");

        var ready = client.get("/readyz");
        assertThat(ready.statusCode()).isEqualTo(500);
        assertThat(ready.body())
                .isEqualTo("[+]ping ok\n[-]informer-sync failed: reason withheld\nreadyz check failed\n");
        assertThat(client.get("/readyz?exclude=informer-sync").statusCode()).isEqualTo(200);
        assertThat(client.get("/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void aCheckCanBeAskedAlone() throws Exception {
        assertThat(client.get("/readyz/informer-sync").body()).isEqualTo("ok");
        trouble.set("pods are not listed yet");

        var alone = client.get("/readyz/informer-sync");
        assertThat(alone.statusCode()).isEqualTo(500);
        assertThat(alone.body()).isEqualTo("internal server error: pods are not listed yet\n");
        assertThat(client.get("/readyz/ping").statusCode()).isEqualTo(200);
        assertThat(client.get("/readyz/nosuch").statusCode()).isEqualTo(404);
    }

    @Test
    void whatIsNotThereIsNotFoundAndWhatIsCannotBeWritten() throws Exception {
        assertThat(client.get("/nosuch").statusCode()).isEqualTo(404);
        assertThat(client.get("/nosuch").body()).isEqualTo("404 page not found\n");
        var post = client.send("POST", "/healthz");
        assertThat(post.statusCode()).isEqualTo(405);
        assertThat(post.headers().firstValue("Allow")).contains("GET, HEAD");
        assertThat(client.send("HEAD", "/healthz").body()).isEmpty();
        assertThat(client.send("HEAD", "/healthz").headers().firstValue("Content-Length"))
                .contains("2");
    }

    @Test
    void theIndexListsThePaths() throws Exception {
        assertThat(client.get("/").body())
                .isEqualTo(
                        "{\"paths\":[\"/\",\"/configz\",\"/debug/queue\",\"/fails\",\"/flag\",\"/healthz\",\"/long\",\"/readyz\",\"/streamed\"]}");
    }

    @Test
    void dumpsAreTextOrJson() throws Exception {
        assertThat(client.get("/debug/queue").body()).isEqualTo("three pods");
        assertThat(client.get("/debug/queue?format=json").body()).isEqualTo("{\"pods\":3}");
        assertThat(client.get("/debug/queue?format=text&timeout=5s").body()).isEqualTo("three pods");
        assertThat(client.get("/debug/queue?format=yaml").statusCode()).isEqualTo(400);
        assertThat(client.get("/debug/queue?formt=json").body())
                .contains("formt: no parameter of this path; did you mean \\\"format\\\"?");
        assertThat(client.get("/configz").body()).isEqualTo("{\"componentconfig\":{\"parallelism\":16}}");
    }

    @Test
    void longAnswersAreCompressedForWhoeverCanReadThat() throws Exception {
        var plain = client.send("GET", "/long");
        var zipped = client.send("GET", "/long", "Accept-Encoding", "br;q=1, gzip;q=0.8");
        var refused = client.send("GET", "/long", "Accept-Encoding", "gzip;q=0");

        assertThat(plain.body()).hasSize(7000);
        assertThat(refused.body()).hasSize(7000);
        assertThat(zipped.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(zipped.body().length).isLessThan(200);
        assertThat(new GZIPInputStream(new ByteArrayInputStream(zipped.body())).readAllBytes())
                .isEqualTo(plain.body());
    }

    @Test
    void whatIsStreamedComesWholeAndCompressedForWhoeverCanReadThat() throws Exception {
        var plain = client.send("GET", "/streamed");
        var zipped = client.send("GET", "/streamed", "Accept-Encoding", "gzip");

        assertThat(plain.body()).hasSize(700_000);
        assertThat(plain.headers().firstValue("Content-Type")).contains("text/plain");
        assertThat(zipped.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(zipped.body().length).isLessThan(10_000);
        assertThat(new GZIPInputStream(new ByteArrayInputStream(zipped.body())).readAllBytes())
                .isEqualTo(plain.body());
        assertThat(client.send("HEAD", "/streamed").body()).isEmpty();
    }

    @Test
    void aBugIsOurFaultAndSaysNothing() throws Exception {
        var response = client.get("/fails");

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body()).isEqualTo("Internal Server Error\n");
    }

    @Test
    void httpsIsServedToThoseWhoTrustTheCertificate() throws Exception {
        var certificate = SelfSignedCertificate.forHosts(List.of("127.0.0.1"), Duration.ofDays(1));
        try (var secure = EndpointServer.secure(
                        Client.freePort(),
                        ServerTls.of(
                                certificate.keyManagers(),
                                TlsOptions.from(TlsVersion.TLS_1_3),
                                () -> TrustedClients.NONE),
                        routes,
                        AccessControl.OPEN_TO_ALL,
                        Client.UNHARMED);
                var trusting = new Client(secure, certificate.sslContext());
                var stranger = new Client(secure, SSLContext.getDefault())) {

            var response = trusting.get("/healthz");
            assertThat(response.body()).isEqualTo("ok");
            assertThat(response.sslSession().orElseThrow().getProtocol()).isEqualTo("TLSv1.3");
            assertThatThrownBy(() -> stranger.get("/healthz")).isInstanceOf(SSLHandshakeException.class);
        }
    }

    @Test
    void whatIsStreamedEndsOnceHoweverItEnds() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        routes.addBelow("/streams/", request -> {
            begun.incrementAndGet();
            return new StreamedReply(
                    "text/plain",
                    out -> {
                        if (request.path().endsWith("breaks")) {
                            throw new IOException("broken off");
                        }
                        out.write('x');
                    },
                    ended::incrementAndGet);
        });

        client.get("/streams/ends");
        client.send("HEAD", "/streams/ends");
        assertThatThrownBy(() -> client.get("/streams/breaks")).isInstanceOf(IOException.class);

        assertThat(begun).hasValueGreaterThanOrEqualTo(3);
        Awaitility.await()
                .atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(ended).hasValue(begun.get()));
    }

    /** kubectl and client-go read nothing else. */
    @Test
    void belowApisWhatComesToNothingIsAStatus() throws Exception {
        routes.addBelow("/apis/example.com/", request -> {
            throw new IllegalStateException("bug");
        });

        assertThat(client.get("/apis/none").body()).contains("\"reason\":\"NotFound\"", "\"code\":404");
        assertThat(client.get("/apis/example.com/x").body())
                .contains("\"reason\":\"InternalError\"", "\"code\":500")
                .doesNotContain("bug");
        var deleted = client.send("DELETE", "/apis/example.com/x");
        assertThat(deleted.statusCode()).isEqualTo(405);
        assertThat(deleted.headers().firstValue("Allow")).contains("GET, HEAD");
        assertThat(new String(deleted.body(), StandardCharsets.UTF_8))
                .isEqualTo("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
                        + "\"message\":\"the server does not allow this method on the requested resource\","
                        + "\"reason\":\"MethodNotAllowed\",\"details\":{},\"code\":405}\n");
    }

    @Test
    void whoeverMayNotGetsTheAnswerOfTheAccessControlEvenForPathsThatAreNotThere() throws Exception {
        AccessControl nobody = request -> new AccessControl.TurnedAway(Reply.text(403, "no " + request.path()));
        try (var closed = EndpointServer.plain(Client.freePort(), routes, nobody, Client.UNHARMED);
                var other = new Client(closed)) {

            assertThat(other.get("/nosuch").body()).isEqualTo("no /nosuch");
            assertThat(other.get("/healthz/../long").statusCode()).isEqualTo(403);
            assertThat(new String(other.send("POST", "/long").body(), StandardCharsets.UTF_8))
                    .isEqualTo("no /long");
        }
    }

    @Test
    void headersAreReadAsUtf8() throws Exception {
        routes.add(
                "/named",
                request -> Reply.text(200, request.headerValues("x-remote-user").toString()));
        try (var socket =
                new Socket(server.address().getAddress(), server.address().getPort())) {
            socket.getOutputStream()
                    .write("GET /named HTTP/1.1\r\nHost: h\r\nX-Remote-User: jörg\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.UTF_8));

            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .endsWith("[jörg]");
        }
    }
}
