package io.evenkeel.kube.client.http2;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import javax.net.SocketFactory;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The calls to one server, over one connection as long as it takes calls, and then over another. A server that does not speak
 * HTTP/2 is found out by the first call, and is asked no more in this way.
 */
public final class MultiplexedCalls {
    private static final int MOST_TRIES = 3;

    private final Connector connector;
    private final ReentrantLock connecting = new ReentrantLock();
    private volatile Optional<CallConnection> connection = Optional.empty();
    private volatile @Nullable IOException lastFailure;
    private volatile boolean isForeign;
    private volatile boolean isRetired;

    public MultiplexedCalls(Connector connector) {
        this.connector = connector;
    }

    /**
     * Makes a call, and waits for the answer.
     *
     * @return nothing where the server does not speak HTTP/2; it was not asked then
     * @throws IOException where no answer came; whether the call had an effect is not known then
     */
    public Optional<CallEnd.Reply> call(Request request) throws IOException {
        for (int tries = 1; ; tries++) {
            Optional<CallConnection> current = current();
            if (current.isEmpty()) {
                return Optional.empty();
            }
            switch (end(current.get(), request, Long.MAX_VALUE)) {
                case CallEnd.Answered(CallEnd.Reply reply) -> {
                    return Optional.of(reply);
                }
                case CallEnd.Failed(IOException why, boolean isUntouched) -> {
                    if (!isUntouched || tries == MOST_TRIES) {
                        throw why;
                    }
                }
            }
        }
    }

    /**
     * Makes a call over the connection that there is, and waits for the answer for so long at most.
     *
     * @return nothing where there is none, or where it is certain that the server has done nothing about the call
     * @throws IOException where no answer came in time; whether the call had an effect is not known then
     */
    public Optional<CallEnd.Reply> callAtHand(Request request, long nanos) throws IOException {
        Optional<CallConnection> current = usable();
        if (current.isEmpty()) {
            return Optional.empty();
        }
        switch (end(current.get(), request, nanos)) {
            case CallEnd.Answered(CallEnd.Reply reply) -> {
                return Optional.of(reply);
            }
            case CallEnd.Failed(IOException why, boolean isUntouched) -> {
                if (!isUntouched) {
                    throw why;
                }
                return Optional.empty();
            }
        }
    }

    private CallEnd end(CallConnection current, Request request, long nanos) throws IOException {
        Waiting waiting = new Waiting();
        Optional<Exchange> exchange = current.begin(request, waiting);
        if (exchange.isEmpty()) {
            return new CallEnd.Failed(new IOException("the connection takes no more calls"), true);
        }
        try {
            return waiting.await(nanos);
        } catch (IOException givenUp) {
            current.abandon(exchange.get());
            throw givenUp;
        } finally {
            if (isRetired) {
                current.retire();
            }
        }
    }

    /**
     * Begins a call for which no thread waits.
     *
     * @param whenEnded is told once, by a thread that must not be held up
     * @return false, and nothing is done, where there is no connection that takes calls
     */
    public boolean begin(Request request, Consumer<CallEnd> whenEnded) {
        return usable().flatMap(current -> current.begin(request, whenEnded)).isPresent();
    }

    /** All that wait for a connection share what comes of it: each would fail as late again as there are others. */
    private Optional<CallConnection> current() throws IOException {
        IOException before = lastFailure;
        Optional<CallConnection> current = usable();
        if (current.isPresent() || isForeign) {
            return current;
        }
        try {
            connecting.lockInterruptibly();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
        try {
            current = usable();
            if (current.isPresent() || isForeign) {
                return current;
            }
            IOException meanwhile = lastFailure;
            if (meanwhile != null && !meanwhile.equals(before)) {
                throw meanwhile;
            }
            return connected();
        } finally {
            connecting.unlock();
        }
    }

    private Optional<CallConnection> connected() throws IOException {
        try {
            Optional<CallConnection> made = connector.connect();
            isForeign = made.isEmpty();
            connection = made;
            return made;
        } catch (IOException failed) {
            lastFailure = failed;
            throw failed;
        }
    }

    private Optional<CallConnection> usable() {
        return connection.filter(CallConnection::takesMore);
    }

    /** Sees through the calls underway, and keeps no connection for calls to come. */
    public void retire() {
        isRetired = true;
        connection.ifPresent(CallConnection::retire);
    }

    public void close() {
        retire();
        connection.ifPresent(underway -> underway.fail(new IOException("the client is closed")));
    }

    /** The thread that waits for the end of a call. */
    static final class Waiting implements Consumer<CallEnd> {
        private final Thread thread = Thread.currentThread();
        private volatile Optional<CallEnd> end = Optional.empty();

        @Override
        public void accept(CallEnd ended) {
            end = Optional.of(ended);
            LockSupport.unpark(thread);
        }

        /** The end, if it comes in so many nanoseconds; {@link Long#MAX_VALUE} for no limit. */
        CallEnd await(long nanos) throws InterruptedIOException {
            long since = nanos == Long.MAX_VALUE ? 0 : System.nanoTime();
            Optional<CallEnd> now = end;
            while (now.isEmpty()) {
                if (thread.isInterrupted()) {
                    throw new InterruptedIOException("interrupted");
                }
                park(nanos, since);
                now = end;
            }
            return now.get();
        }

        private void park(long nanos, long since) throws SocketTimeoutException {
            if (nanos == Long.MAX_VALUE) {
                LockSupport.park(this);
                return;
            }
            long left = nanos - (System.nanoTime() - since);
            if (left <= 0) {
                throw new SocketTimeoutException("no answer within " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
            }
            LockSupport.parkNanos(this, left);
        }
    }

    /** The outcome of a call. */
    public sealed interface CallEnd {
        record Answered(Reply reply) implements CallEnd {}

        /**
         * There will be no answer.
         *
         * @param isUntouched whether it is certain that the server has done nothing about the call, so that it may be made again
         */
        record Failed(IOException why, boolean isUntouched) implements CallEnd {}

        /**
         * An answer that is there as a whole.
         *
         * @param headers the headers of {@link ResponseHeaders#KEPT}
         */
        @SuppressWarnings("ArrayRecordComponent") // nobody compares replies
        record Reply(int code, Map<String, String> headers, byte[] body) {
            public Optional<String> header(String name) {
                return Optional.ofNullable(headers.get(name));
            }
        }
    }

    /**
     * A call.
     *
     * @param path with the query, encoded
     * @param headers mostly the same in all calls, which then cost a byte each
     * @param body empty for none
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares requests, or writes into them
    public record Request(String method, String path, List<Header> headers, byte[] body) {

        /** A header of a request, its name in small letters. */
        public record Header(String name, String value) {
            private static final int OVERHEAD = 32;

            /** Its size in a table of headers (RFC 7541, 4.1). */
            int size() {
                return name.length() + value.getBytes(StandardCharsets.UTF_8).length + OVERHEAD;
            }
        }
    }

    /**
     * Connects to a server and agrees with it on TLS and HTTP/2.
     *
     * @param host as in its address, without the brackets of IPv6
     * @param names says whether a certificate is the server's
     * @param connectLimit of each step: reaching an address, and agreeing on TLS
     * @param callLimit until the whole answer of a call is there
     */
    public record Connector(
            String host,
            int port,
            SocketFactory sockets,
            SSLSocketFactory tls,
            HostnameVerifier names,
            Duration connectLimit,
            Duration callLimit) {
        private static final int HTTPS = 443;
        private static final String[] PROTOCOLS = {"h2", "http/1.1"};

        /** A connection; nothing where the server does not speak HTTP/2. */
        Optional<CallConnection> connect() throws IOException {
            Socket carrier = reached();
            SSLSocket socket = agreed(carrier);
            if (!socket.getApplicationProtocol().equals(PROTOCOLS[0])) {
                socket.close();
                return Optional.empty();
            }
            return Optional.of(CallConnection.on(socket, carrier, authority(), callLimit));
        }

        private String authority() {
            String name = host.contains(":") ? "[" + host + "]" : host;
            return port == HTTPS ? name : name + ":" + port;
        }

        /** A connection to the first of the host's addresses that answers. */
        private Socket reached() throws IOException {
            IOException last = new IOException("no address of " + host + " answers");
            for (InetAddress address : InetAddress.getAllByName(host)) {
                Socket socket = sockets.createSocket();
                try {
                    socket.setTcpNoDelay(true);
                    socket.connect(new InetSocketAddress(address, port), (int) connectLimit.toMillis());
                    return socket;
                } catch (IOException unreachable) {
                    socket.close();
                    unreachable.addSuppressed(last);
                    last = unreachable;
                }
            }
            throw last;
        }

        private SSLSocket agreed(Socket reached) throws IOException {
            SSLSocket socket = (SSLSocket) tls.createSocket(reached, host, port, true);
            try {
                SSLParameters parameters = socket.getSSLParameters();
                parameters.setApplicationProtocols(PROTOCOLS);
                socket.setSSLParameters(parameters);
                socket.setSoTimeout((int) connectLimit.toMillis());
                socket.startHandshake();
                if (!names.verify(host, socket.getSession())) {
                    throw new SSLPeerUnverifiedException("the certificate is not for " + host);
                }
                socket.setSoTimeout(0);
                return socket;
            } catch (IOException | RuntimeException refused) {
                socket.close();
                throw refused;
            }
        }
    }
}
