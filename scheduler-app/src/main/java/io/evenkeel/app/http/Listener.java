package io.evenkeel.app.http;

import io.evenkeel.app.http.EndpointServer.TlsLayer;
import io.evenkeel.app.http.OpenConnections.Admission;
import io.evenkeel.app.http.OpenConnections.Limits;
import io.evenkeel.app.http.OpenConnections.Place;
import io.evenkeel.kube.api.LogThrottle;
import io.evenkeel.kube.api.Supervisor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
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
        while (!isClosed(1000)) {
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
}
