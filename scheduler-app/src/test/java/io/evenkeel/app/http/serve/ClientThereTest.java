package io.evenkeel.app.http.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.http.Client;
import io.evenkeel.app.http.EndpointServer;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.Routes;
import io.evenkeel.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Endpoints that want to know whether their client still waits. */
class ClientThereTest {
    private static final String REQUEST = "GET %s HTTP/1.1\r\nHost: h\r\n\r\n";

    private final CompletableFuture<Request> asked = new CompletableFuture<>();
    private final CompletableFuture<String> answer = new CompletableFuture<>();
    private final EndpointServer server = serving(new Routes()
            .add("/long", request -> {
                asked.complete(request);
                return Reply.text(200, answer.join());
            })
            .add(
                    "/asks",
                    request -> Reply.text(200, "there: " + request.stillThere().getAsBoolean())));

    private static EndpointServer serving(Routes routes) {
        try {
            return EndpointServer.plain(Client.freePort(), routes, AccessControl.OPEN_TO_ALL, Client.UNHARMED);
        } catch (IOException inUse) {
            throw new UncheckedIOException(inUse);
        }
    }

    @AfterEach
    void close() {
        answer.complete("");
        server.close();
    }

    @Test
    void whoHangsUpIsGoneBeforeTheAnswerIsMade() throws Exception {
        Socket client = client("/long");
        Request request = asked.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(request.stillThere().getAsBoolean()).isTrue();

        client.close();

        Awaitility.await()
                .atMost(Patience.LIMIT)
                .untilAsserted(
                        () -> assertThat(request.stillThere().getAsBoolean()).isFalse());
    }

    /** To find out, the server reads on; what it reads then is the next request's first byte. */
    @Test
    void whoSendsTheNextRequestMeanwhileIsThereAndGetsBothAnswers() throws Exception {
        try (Socket client = client("/asks")) {
            client.getOutputStream()
                    .write((REQUEST.formatted("/asks") + "GET /asks HTTP/1.0\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));

            String answers = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

            assertThat(answers.split("there: true", -1)).hasSize(4);
        }
    }

    private Socket client(String path) throws IOException {
        Socket client =
                new Socket(server.address().getAddress(), server.address().getPort());
        client.setSoTimeout((int) Patience.LIMIT.toMillis());
        client.getOutputStream().write(REQUEST.formatted(path).getBytes(StandardCharsets.US_ASCII));
        return client;
    }
}
