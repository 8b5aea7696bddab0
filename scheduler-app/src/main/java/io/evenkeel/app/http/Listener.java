package io.evenkeel.app.http;

import io.evenkeel.app.http.EndpointServer.TlsLayer;
import io.evenkeel.app.http.Listener.ExchangeHandler;
import io.evenkeel.app.http.OpenConnections.Admission;
import io.evenkeel.app.http.OpenConnections.Limits;
import io.evenkeel.app.http.OpenConnections.Place;
import io.evenkeel.app.http.OpenConnections.Place.Phase;
import io.evenkeel.app.http.RequestReader.MalformedRequestException;
import io.evenkeel.app.http.RequestReader.RequestHead;
import io.evenkeel.kube.api.LogThrottle;
import io.evenkeel.kube.api.Supervisor;
import io.evenkeel.kube.api.TokenBucket;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens at an address. Each connection is served on a virtual thread of its own. Platform threads accept connections, give
 * them their turns to shake hands, and look every second which of them take too long.
 */
final class Listener implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Listener.class);
    private static final Duration A_LINE = Duration.ofMinutes(1);
    private static final int WAITING_TO_BE_ACCEPTED = 1024;

    private final ServerSocket socket;
    private final Optional<TlsLayer> tls;
    private final ExchangeHandler handler;
    private final LongSupplier nanos = System::nanoTime;
    private final OpenConnections connections;
    private final Handshakes handshakes;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread accepting;
    private final Supervisor supervisor;
    private final LogThrottle displaced = new LogThrottle(A_LINE, nanos);
    private final LogThrottle failures = new LogThrottle(A_LINE, nanos);

    /** @param supervisor is told if the thread ends that accepts connections or keeps their deadlines */
    public Listener(
            InetSocketAddress address,
            Optional<TlsLayer> tls,
            ExchangeHandler handler,
            Limits limits,
            Supervisor supervisor)
            throws IOException {
        this.supervisor = supervisor;
        this.tls = tls;
        this.handler = handler;
        this.connections = new OpenConnections(limits, nanos);
        this.handshakes = new Handshakes(limits.handshakes(), nanos);
        this.socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(address, WAITING_TO_BE_ACCEPTED);
        } catch (IOException | RuntimeException cannotListen) {
            socket.close();
            throw cannotListen;
        }
        accepting = dedicated("http-accept", this::acceptAll);
        dedicated("http-deadlines", this::keepDeadlines);
        if (tls.isPresent()) {
            dedicated("http-handshakes", handshakes::giveTurns);
        }
    }

    /** Makes a platform thread: it gets its time even if the connections' threads take all that they can. */
    private Thread dedicated(String name, Runnable work) {
        return Thread.ofPlatform().daemon().name(name).start(supervisor.watching(name, work));
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    /** Stops at once, after which the port is free; requests that are being answered are cut off. */
    @Override
    public void close() {
        closed.countDown();
        try {
            socket.close();
        } catch (IOException alreadyBroken) {
            // as good as closed
        }
        handshakes.close();
        connections.close();
        connections.cutAll();
        awaitEndOfAccepting();
        // and those that came in between
        connections.cutAll();
    }

    /** Waits until accepting has ended: only then the system gives the port back. */
    private void awaitEndOfAccepting() {
        try {
            accepting.join();
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isClosed(long afterMillis) {
        try {
            return closed.await(afterMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private void keepDeadlines() {
        while (connections.awaitDeadline()) {
            connections.cutOverdue();
            displaced.tell(this::tellOfDisplaced);
        }
    }

    private void acceptAll() {
        while (!isClosed(0)) {
            try {
                begin(socket.accept());
            } catch (IOException | RuntimeException | OutOfMemoryError noMore) {
                // Out of file descriptors, of threads or of memory, which may pass.
                if (!isClosed(100)) {
                    tellOfFailure(noMore);
                }
            }
        }
    }

    private void begin(Socket connection) {
        Admission admission = connections.admit(connection.getInetAddress(), connection);
        if (admission.displaced().isPresent()) {
            displaced.count(this::tellOfDisplaced);
        }
        try {
            Thread.ofVirtual()
                    .name("http")
                    .start(supervisor.watching("http", () -> serve(connection, admission.place())));
        } catch (RuntimeException | OutOfMemoryError notServed) {
            admission.place().cut();
            connections.left(admission.place());
            throw notServed;
        }
    }

    private void tellOfDisplaced(long closed) {
        log.atWarn()
                .setMessage("Too many connections, closing the oldest unfinished ones")
                .addKeyValue("port", address().getPort())
                .addKeyValue("closed", closed)
                .log();
    }

    private void tellOfFailure(Throwable failure) {
        failures.count(times -> log.atWarn()
                .setMessage("Cannot accept connections, retrying")
                .addKeyValue("port", address().getPort())
                .addKeyValue("times", times)
                .addKeyValue("why", String.valueOf(failure.getMessage()))
                .log());
    }

    private void serve(Socket connection, Place place) {
        try (connection) {
            // Small answers on kept connections would wait 40 ms for an acknowledgement otherwise.
            connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
            new Connection(connection, place, nanos, handler, handshakes).serve(tls);
        } catch (IOException gone) {
            log.atTrace()
                    .setMessage("Connection ended")
                    .addKeyValue("why", gone.getMessage())
                    .log();
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
            log.atError().setMessage("Connection failed").setCause(bug).log();
        } finally {
            connections.left(place);
        }
    }

    /** Answers requests; called by several threads at once, which all may wait. */
    @FunctionalInterface
    interface ExchangeHandler {
        void handle(Exchange exchange) throws IOException;
    }

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
                Exchange exchange = new Exchange(
                        request, certificates, answers, next::isClientThere, most -> body(requests, request, most));
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

        /** While it comes, the client has the time that it has for a request. */
        private Optional<byte[]> body(RequestReader requests, RequestHead request, int most) throws IOException {
            enter(Phase.UNFINISHED);
            try {
                return requests.body(request, most);
            } finally {
                enter(Phase.ANSWERING);
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
            new Exchange(none, List.of(), answers, () -> true, _ -> Optional.empty())
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

    /**
     * Who may shake hands now. A handshake costs the server a signature and an agreement on keys, and the client next to nothing: it
     * need not even look at the answer. So there are only so many a second. The addresses that wait take turns, so that a flood
     * from one delays no other by more than a turn; and of an address the latest comes first, as its client still waits.
     *
     * <p>A free step never waits: before the client has said all that the server's part begins with, it has no turn.
     */
    static final class Handshakes {
        private static final int RECORD_HEADER = 5;
        private static final int HANDSHAKE = 22;
        private static final int LONGEST_RECORD = 1 << 14;

        private final LongSupplier nanos;
        private final TokenBucket bucket;
        private final Map<InetAddress, Deque<Place>> waiting = new LinkedHashMap<>();
        private boolean closed;

        Handshakes(int aSecond, LongSupplier nanos) {
            this.nanos = nanos;
            this.bucket = new TokenBucket(aSecond, aSecond, nanos.getAsLong());
        }

        /**
         * Reads the client's first record, and waits for its turn; answers what it has read. What is no handshake has no turn, as
         * it fails at once.
         *
         * @throws IOException if the client leaves, or another has taken its place
         */
        InputStream awaitTurn(InputStream client, Place place) throws IOException {
            ByteArrayOutputStream hello = new ByteArrayOutputStream();
            byte[] header = client.readNBytes(RECORD_HEADER);
            hello.writeBytes(header);
            int length = header.length < RECORD_HEADER ? 0 : (header[3] & 0xff) << 8 | (header[4] & 0xff);
            if (length > 0 && length <= LONGEST_RECORD && header[0] == HANDSHAKE) {
                byte[] record = client.readNBytes(length);
                if (record.length < length) {
                    throw new IOException("the client has left amid its first words");
                }
                hello.writeBytes(record);
                await(place);
            }
            return new ByteArrayInputStream(hello.toByteArray());
        }

        private void await(Place place) throws IOException {
            if (isAtOnce(place)) {
                return;
            }
            try {
                if (!place.awaitTurn()) {
                    throw new IOException("cut before its handshake");
                }
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
                throw new IOException("the server is closed", end);
            } finally {
                left(place);
            }
        }

        /** Whether it has its turn now; it waits in line otherwise. */
        synchronized boolean isAtOnce(Place place) {
            long now = nanos.getAsLong();
            if (waiting.isEmpty() && bucket.nanosUntilToken(now) == 0) {
                bucket.take(now);
                return true;
            }
            waiting.computeIfAbsent(place.client(), _ -> new ArrayDeque<>()).push(place);
            notifyAll();
            return false;
        }

        private synchronized void left(Place place) {
            Deque<Place> its = waiting.get(place.client());
            if (its != null && its.remove(place) && its.isEmpty()) {
                waiting.remove(place.client());
            }
        }

        /** Gives turns as they come up, until it is closed. */
        synchronized void giveTurns() {
            while (!closed) {
                long until = giveDue();
                try {
                    if (until > 0) {
                        TimeUnit.NANOSECONDS.timedWait(this, until);
                    } else {
                        wait();
                    }
                } catch (InterruptedException end) {
                    return;
                }
            }
        }

        /** Gives the turns that have come up; returns the nanoseconds until the next one, 0 where none is waited for. */
        synchronized long giveDue() {
            while (!waiting.isEmpty()) {
                long now = nanos.getAsLong();
                long until = bucket.nanosUntilToken(now);
                if (until > 0) {
                    return until;
                }
                if (next().giveTurn()) {
                    bucket.take(now);
                }
            }
            return 0;
        }

        private Place next() {
            Map.Entry<InetAddress, Deque<Place>> first =
                    waiting.entrySet().iterator().next();
            Deque<Place> its = first.getValue();
            Place place = its.pop();
            waiting.remove(first.getKey());
            if (!its.isEmpty()) {
                waiting.put(place.client(), its);
            }
            return place;
        }

        synchronized void close() {
            closed = true;
            notifyAll();
        }
    }
}
