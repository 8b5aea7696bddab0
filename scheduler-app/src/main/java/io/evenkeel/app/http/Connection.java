package io.evenkeel.app.http;

import io.evenkeel.app.http.EndpointServer.TlsLayer;
import io.evenkeel.app.http.Listener.ExchangeHandler;
import io.evenkeel.app.http.OpenConnections.Place;
import io.evenkeel.app.http.OpenConnections.Place.Phase;
import io.evenkeel.app.http.RequestReader.MalformedRequestException;
import io.evenkeel.app.http.RequestReader.RequestHead;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;

/** One connection, from its handshake to its end, on the thread that serves it. What ends it early is that its place is taken. */
record Connection(Socket socket, Place place, LongSupplier nanos, ExchangeHandler handler, Handshakes handshakes) {
    private static final int BUFFER = 16 * 1024;

    void serve(Optional<TlsLayer> tls) throws IOException {
        if (tls.isEmpty()) {
            answerAll(socket, List.of());
            return;
        }
        InputStream hello = handshakes.awaitTurn(socket.getInputStream(), place);
        try (SSLSocket secure = tls.get().over(socket, hello)) {
            secure.startHandshake();
            answerAll(secure, certificates(secure));
            enter(Phase.UNFINISHED);
        }
    }

    private void answerAll(Socket spoken, List<X509Certificate> certificates) throws IOException {
        RequestReader requests = new RequestReader(spoken.getInputStream());
        NextRequests next = new NextRequests(requests);
        OutputStream answers = new BufferedOutputStream(new Watched(spoken.getOutputStream()), BUFFER);
        while (next.begins()) {
            enter(Phase.UNFINISHED);
            RequestHead request;
            try {
                request = requests.next();
            } catch (MalformedRequestException malformed) {
                enter(Phase.ANSWERING);
                refuse(malformed, answers);
                end(spoken, next, requests);
                return;
            }
            enter(Phase.ANSWERING);
            Exchange exchange = new Exchange(request, certificates, answers, next::isClientThere);
            handler.handle(exchange);
            answers.flush();
            if (!exchange.keepsConnection()) {
                end(spoken, next, requests);
                return;
            }
            enter(Phase.KEPT);
            letOthersRun();
        }
    }

    /**
     * A virtual thread keeps its processor until it has to wait, which it never has to for a client that sends request after
     * request. A mere yield would leave the processor only to threads of its own processor.
     */
    private static void letOthersRun() {
        LockSupport.parkNanos(1);
    }

    private static void refuse(MalformedRequestException malformed, OutputStream answers) throws IOException {
        RequestHead none = RequestHead.unread();
        byte[] why = (malformed.getMessage() + "\n").getBytes(StandardCharsets.UTF_8);
        new Exchange(none, List.of(), answers, () -> true)
                .answer(malformed.code(), Map.of("Content-Type", "text/plain; charset=utf-8"), why);
    }

    /** Takes in the rest of the client's data, or else the system would throw away our answer with the connection. */
    private void end(Socket spoken, NextRequests next, RequestReader requests) throws IOException {
        enter(Phase.UNFINISHED);
        spoken.shutdownOutput();
        if (next.begins()) {
            requests.discard();
        }
    }

    private void enter(Phase phase) {
        place.enter(phase, nanos.getAsLong());
    }

    private static List<X509Certificate> certificates(SSLSocket secure) {
        try {
            return Arrays.stream(secure.getSession().getPeerCertificates())
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (SSLPeerUnverifiedException noneShown) {
            return List.of();
        }
    }

    /** Tells the place how long a write has been waiting for the client. */
    private final class Watched extends OutputStream {
        private final OutputStream to;

        Watched(OutputStream to) {
            this.to = to;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            place.writing(nanos.getAsLong());
            to.write(bytes, offset, length);
            place.writing(null);
        }
    }

    /**
     * Waits for the next request of a connection. Whether the client has hung up meanwhile is found out only by reading on, which
     * takes a thread; so one is there only while somebody who answers wants to know.
     */
    private static final class NextRequests {
        private final RequestReader requests;
        private Optional<CompletableFuture<Boolean>> ahead = Optional.empty();

        NextRequests(RequestReader requests) {
            this.requests = requests;
        }

        /** False once the client has closed the connection, or broken it off. Of what it sends nothing is lost. */
        synchronized boolean isClientThere() {
            CompletableFuture<Boolean> next = ahead.orElseGet(this::readAhead);
            return !next.isCompletedExceptionally() && next.getNow(true);
        }

        private CompletableFuture<Boolean> readAhead() {
            CompletableFuture<Boolean> next = new CompletableFuture<>();
            ahead = Optional.of(next);
            Thread.ofVirtual().name("waits for a client").start(() -> {
                try {
                    next.complete(requests.begins());
                } catch (IOException | RuntimeException broken) {
                    next.completeExceptionally(broken);
                }
            });
            return next;
        }

        /** Waits for the first byte of a request; false if the client has closed the connection instead. */
        boolean begins() throws IOException {
            Optional<CompletableFuture<Boolean>> read = taken();
            if (read.isEmpty()) {
                return requests.begins();
            }
            try {
                return read.get().join();
            } catch (CompletionException broken) {
                throw broken.getCause() instanceof IOException cause ? cause : new IOException(broken.getCause());
            }
        }

        private synchronized Optional<CompletableFuture<Boolean>> taken() {
            Optional<CompletableFuture<Boolean>> read = ahead;
            ahead = Optional.empty();
            return read;
        }
    }
}
