package io.evenkeel.kube.client;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.evenkeel.kube.client.ConnectionOptions.ConnectionLimits;
import io.evenkeel.kube.client.Credential.CredentialSource;
import io.evenkeel.kube.client.HttpTransport.HttpAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpClientsTest {
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private HttpServer server;
    private HttpClients clients;

    /** It answers with two bytes, the second of them when it is told to go on. */
    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", request -> {
            request.sendResponseHeaders(200, 2);
            request.getResponseBody().write('x');
            request.getResponseBody().flush();
            try {
                goesOn.await();
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
            request.getResponseBody().write('y');
            request.close();
        });
        server.start();
        ServerAccess access = new ServerAccess(
                "http://127.0.0.1:" + server.getAddress().getPort(),
                true,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Impersonation.NONE,
                CredentialSource.fixed(Credential.NONE),
                Optional.empty());
        clients = HttpClients.of(access, Optional.empty(), ConnectionLimits.DEFAULT);
    }

    @AfterEach
    void stop() {
        goesOn.countDown();
        clients.close();
        server.stop(0);
    }

    @Test
    void whoRetiresClosesWhatIsIdle() throws IOException {
        goesOn.countDown();
        try (HttpAnswer answer = ask(clients.calls(), false)) {
            assertThat(answer.body().readAllBytes()).containsExactly('x', 'y');
        }
        assertThat(clients.calls().connectionPool().connectionCount()).isEqualTo(1);

        clients.retire();

        assertThat(clients.calls().connectionPool().connectionCount()).isZero();
        assertThat(clients.calls().dispatcher().executorService().isShutdown()).isTrue();
        assertThat(clients.streams().dispatcher().executorService().isShutdown())
                .isTrue();
    }

    @Test
    void whoRetiresSeesThroughWhatIsUnderway() throws IOException {
        try (HttpAnswer stream = ask(clients.streams(), true);
                HttpAnswer call = ask(clients.calls(), false)) {
            InputStream body = stream.body();
            assertThat(body.read()).isEqualTo('x');

            clients.retire();
            goesOn.countDown();

            assertThat(body.read()).isEqualTo('y');
            assertThat(body.read()).isEqualTo(-1);
            assertThat(call.body().readAllBytes()).containsExactly('x', 'y');
        }
        await().until(() -> clients.streams().connectionPool().connectionCount() == 0);
        await().until(() -> clients.calls().connectionPool().connectionCount() == 0);
    }

    private HttpAnswer ask(OkHttpClient client, boolean endless) throws IOException {
        Call call = client.newCall(new Request.Builder()
                .url("http://127.0.0.1:" + server.getAddress().getPort())
                .build());
        return new HttpAnswer(call, call.execute(), endless, clients::released);
    }
}
