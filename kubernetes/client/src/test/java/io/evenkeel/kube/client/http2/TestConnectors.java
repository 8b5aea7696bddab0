package io.evenkeel.kube.client.http2;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.kube.client.http2.MultiplexedCalls.CallEnd;
import io.evenkeel.kube.client.http2.MultiplexedCalls.Connector;
import io.evenkeel.kube.client.http2.MultiplexedCalls.Request;
import io.evenkeel.kube.client.http2.MultiplexedCalls.Request.Header;
import io.evenkeel.testing.Patience;
import io.evenkeel.tls.SelfSignedCertificate;
import io.evenkeel.tls.TrustsAnybody;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/** Ways to servers of tests, which are trusted whoever they are. */
final class TestConnectors {
    static final SelfSignedCertificate CERTIFICATE =
            SelfSignedCertificate.forHosts(List.of("127.0.0.1", "::1"), Duration.ofDays(1));

    private TestConnectors() {}

    static Connector to(String host, int port, Duration limit) {
        return to(host, port, SocketFactory.getDefault(), limit);
    }

    static Connector to(String host, int port, SocketFactory sockets, Duration limit) {
        return new Connector(host, port, sockets, trusting(), (_, _) -> true, Patience.LIMIT, limit);
    }

    private static SSLSocketFactory trusting() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustsAnybody()}, null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static Request get(String path) {
        return new Request("GET", path, List.of(), new byte[0]);
    }

    static Request post(String path, byte[] body) {
        return new Request("POST", path, List.of(new Header("content-type", "text/plain")), body);
    }

    /** The code of the answer that a thread of its own waits for. */
    static CompletableFuture<Integer> code(MultiplexedCalls calls, String path) {
        CompletableFuture<Integer> code = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                code.complete(calls.call(get(path)).orElseThrow().code());
            } catch (IOException failed) {
                code.completeExceptionally(failed);
            }
        });
        return code;
    }

    /** The end of a call that nobody waits for. */
    static CompletableFuture<CallEnd> begun(MultiplexedCalls calls, Request request) {
        CompletableFuture<CallEnd> end = new CompletableFuture<>();
        assertThat(calls.begin(request, end::complete)).isTrue();
        return end;
    }

    /** Of connections, which have all been closed. */
    static void awaitNoThreads() {
        await("no thread reads or writes any more")
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("http2-")));
    }
}
