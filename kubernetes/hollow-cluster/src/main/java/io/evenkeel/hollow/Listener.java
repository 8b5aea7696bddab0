package io.evenkeel.hollow;

import io.evenkeel.hollow.ApiReply.ReplyBody;
import io.evenkeel.hollow.Listener.Outcome;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.RateControl;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.eclipse.jetty.util.thread.Scheduler;

/** An HTTP server on a port of the loopback address, a virtual thread a request. */
final class Listener implements AutoCloseable {
    private static final int BACKLOG = 1024;

    /** One waits for the network, the others open and close connections. */
    private static final int MOST_THREADS = 4;

    private static final int FIRST_THREADS = 2;

    private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
    private final AcceptedChannels accepted = new AcceptedChannels();
    private final Server server;
    private final ServerConnector connector;

    private Listener(int port, Optional<SSLContext> tls, Answerer answerer) {
        QueuedThreadPool network = new QueuedThreadPool(MOST_THREADS, FIRST_THREADS);
        network.setName("hollow-network");
        network.setDaemon(true);
        network.setReservedThreads(0);
        network.setVirtualThreadsExecutor(requests);
        server = new Server(network, new ScheduledExecutorScheduler("hollow-timer", true), null);
        server.setHandler(new RequestHandler(answerer));
        server.setErrorHandler(new PlainErrors());
        connector = new VirtualConnector(server, requests, Protocols.over(tls));
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        connector.setPort(port);
        connector.setAcceptQueueSize(BACKLOG);
        connector.setIdleTimeout(0); // clients know best how long they keep a connection
        connector.addBean(accepted, false);
        server.addConnector(connector);
    }

    /** Listens on a port, or on any free one if it is 0. */
    static Listener open(int port, Optional<SSLContext> tls, Answerer answerer) {
        Listener listener = new Listener(port, tls, answerer);
        try {
            listener.server.start();
            return listener;
        } catch (IOException e) {
            listener.close();
            throw new UncheckedIOException("cannot listen on port %d: %s".formatted(port, reason(e)), e);
        } catch (Exception e) {
            listener.close();
            throw new IllegalStateException("cannot listen on port %d: %s".formatted(port, e), e);
        }
    }

    /** The JDK's, as Jetty puts the address before it. */
    private static String reason(IOException failed) {
        Throwable cause = failed.getCause();
        return String.valueOf(cause == null ? failed.getMessage() : cause.getMessage());
    }

    int port() {
        return connector.getLocalPort();
    }

    /**
     * Closes all connections, and ends what is done for them. The connections come first: of one that it finds open Jetty would
     * wait for the answer that is being written, and who writes it for the thread that waits.
     */
    @Override
    public void close() {
        connector.close();
        connector.getConnectedEndPoints().forEach(EndPoint::close);
        LifeCycle.stop(server);
        accepted.close();
        requests.shutdownNow();
    }

    /**
     * The connections of a server, so that none outlives it. Jetty closes all that it has made known to itself, but not one that
     * it accepts while it stops: that one would be neither served nor closed, and its client would wait for its own timeout.
     */
    private static final class AcceptedChannels implements SelectorManager.AcceptListener, AutoCloseable {
        private final Set<SelectableChannel> channels = ConcurrentHashMap.newKeySet();

        @Override
        public void onAccepting(SelectableChannel channel) {
            channels.removeIf(each -> !each.isOpen());
            channels.add(channel);
        }

        /** Once no others are accepted. */
        @Override
        public void close() {
            for (SelectableChannel each : channels) {
                try {
                    each.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    /** Malformed requests are refused before anybody is asked, in the words of Go's server. */
    private static final class PlainErrors extends ErrorHandler {

        @Override
        protected void generateResponse(
                Request request, Response response, int code, String message, Throwable cause, Callback done) {
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
            String words = code + " " + HttpStatus.getMessage(code);
            response.write(true, ByteBuffer.wrap(words.getBytes(StandardCharsets.US_ASCII)), done);
        }
    }

    /**
     * Does whatever there is to do for a connection on virtual threads, as any of it may come to wait: Jetty answers requests also on
     * threads that read from TLS. What waits for the network itself is a thread of the server.
     */
    private static final class VirtualConnector extends ServerConnector {
        /** They accept connections as well. */
        private static final int SELECTORS = 1;

        VirtualConnector(Server server, Executor work, ConnectionFactory... protocols) {
            super(server, work, null, null, 0, SELECTORS, protocols);
        }

        @Override
        protected SelectorManager newSelectorManager(Executor work, Scheduler scheduler, int selectors) {
            return super.newSelectorManager(getServer().getThreadPool(), scheduler, selectors);
        }
    }

    /**
     * The protocols of a connection, as of a real API server: HTTP/2 or HTTP/1.1 over TLS, as the client likes, and HTTP/1.1 without.
     * The limits are kube-apiserver's, not the limits of a server that distrusts its clients.
     */
    private static final class Protocols {
        /** As Go's server has it, where --http2-max-streams-per-connection is not set. */
        private static final int MOST_STREAMS = 250;

        /** The window of a stream, as kube-apiserver has it: a body up to this size, as most are, is sent before any of it is read. */
        private static final int STREAM_WINDOW = 256 << 10;

        /** As Go's server has it: selectors and continue tokens stand in a request's first line. */
        private static final int LARGEST_HEADERS = 1 << 20;

        private static final long NEVER = -1;

        private Protocols() {}

        static ConnectionFactory[] over(Optional<SSLContext> tls) {
            HttpConnectionFactory http1 = new HttpConnectionFactory(configuration());
            if (tls.isEmpty()) {
                return new ConnectionFactory[] {http1};
            }
            HTTP2ServerConnectionFactory http2 = http2();
            ALPNServerConnectionFactory either = new ALPNServerConnectionFactory("h2", "http/1.1");
            either.setDefaultProtocol(http1.getProtocol());
            SslContextFactory.Server trust = new SslContextFactory.Server();
            trust.setSslContext(tls.get());
            return new ConnectionFactory[] {new SslConnectionFactory(trust, either.getProtocol()), either, http2, http1
            };
        }

        private static HTTP2ServerConnectionFactory http2() {
            HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(configuration());
            http2.setMaxConcurrentStreams(MOST_STREAMS);
            http2.setInitialStreamRecvWindow(STREAM_WINDOW);
            http2.setInitialSessionRecvWindow(MOST_STREAMS * STREAM_WINDOW);
            http2.setStreamIdleTimeout(NEVER);
            http2.setRateControlFactory(new RateControl.Factory() {}); // none: clients may cancel and ping as they like
            http2.setConnectProtocolEnabled(false);
            return http2;
        }

        private static HttpConfiguration configuration() {
            HttpConfiguration http = new HttpConfiguration();
            http.setUriCompliance(UriCompliance.UNSAFE); // the handlers judge the path
            http.setRequestHeaderSize(LARGEST_HEADERS);
            http.setSendServerVersion(false);
            return http;
        }
    }

    /** Takes a request off its connection, and brings back the answer, or what there is instead of one. */
    private static final class RequestHandler extends Handler.Abstract {
        private static final int ROOM = 1 << 16;

        private final Answerer answerer;

        RequestHandler(Answerer answerer) {
            this.answerer = answerer;
        }

        @Override
        public boolean handle(Request request, Response response, Callback done) {
            try {
                switch (outcome(request)) {
                    case Outcome.Answered(ApiReply reply) -> send(reply, response, done);
                    case Outcome.BrokenOff _ -> done.failed(new Request.Handler.AbortException("ordered"));
                    case Outcome.Disconnected _ -> {
                        request.getConnectionMetaData()
                                .getConnection()
                                .getEndPoint()
                                .close();
                        done.failed(new Request.Handler.AbortException("ordered"));
                    }
                }
            } catch (IOException gone) {
                done.failed(new Request.Handler.AbortException(gone));
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
                done.failed(new Request.Handler.AbortException(stopping));
            }
            return true;
        }

        private Outcome outcome(Request request) throws IOException, InterruptedException {
            try {
                return answerer.answer(RawRequest.of(request));
            } catch (URISyntaxException malformed) {
                return new Outcome.Answered(ApiReply.text(400, "400 Bad Request"));
            }
        }

        private static void send(ApiReply reply, Response response, Callback done)
                throws IOException, InterruptedException {
            response.setStatus(reply.code());
            HttpFields.Mutable headers = response.getHeaders();
            headers.put(HttpHeader.CONTENT_TYPE, reply.contentType());
            headers.put(HttpHeader.CACHE_CONTROL, "no-cache, private");
            if (reply.retryAfterSeconds() > 0) {
                headers.put(HttpHeader.RETRY_AFTER, reply.retryAfterSeconds());
            }
            reply.warnings().forEach(words -> headers.add("Warning", "299 - \"" + words.replace("\"", "\\\"") + '"'));
            switch (reply.body()) {
                case ReplyBody.Whole(byte[] bytes) -> {
                    headers.put(HttpHeader.CONTENT_LENGTH, bytes.length);
                    response.write(true, ByteBuffer.wrap(bytes), done);
                }
                case ReplyBody.Stream stream -> {
                    OutputStream out = new BufferedOutputStream(Content.Sink.asOutputStream(response), ROOM);
                    stream.writeTo(out);
                    out.close(); // where it fails, the client is not to take what it has for all
                    done.succeeded();
                }
            }
        }
    }

    /** A request as it comes off its connection. */
    record RawRequest(Request request, URI target) {

        /**
         * Reads what a client asks for.
         *
         * @throws URISyntaxException where that is what no URL can be
         */
        static RawRequest of(Request request) throws URISyntaxException {
            URI target = new URI(request.getHttpURI().getPathQuery());
            if (target.getRawPath() == null) {
                throw new URISyntaxException(target.toString(), "no path");
            }
            return new RawRequest(request, target);
        }

        /** Such as {@code HTTP/2.0}. */
        String protocol() {
            return request.getConnectionMetaData().getProtocol();
        }

        String method() {
            return request.getMethod();
        }

        /** All that came under a name, in whatever case it is written. */
        List<String> headers(String name) {
            return request.getHeaders().getValuesList(name);
        }

        /** The first that came under a name; empty where none did. */
        String header(String name) {
            return headers(name).stream().findFirst().orElse("");
        }

        /** Waits until it is there as a whole; can be read once. */
        byte[] body() throws IOException {
            try (InputStream in = Content.Source.asInputStream(request)) {
                return in.readAllBytes();
            }
        }
    }

    sealed interface Outcome {

        record Answered(ApiReply reply) implements Outcome {}

        /**
         * It ends without an answer. Over HTTP/2 its stream is reset, as a real server does where a handler gives up, and nothing else
         * on the connection is touched; over HTTP/1.1 the connection is closed, which has nothing else on it.
         */
        record BrokenOff() implements Outcome {}

        /** The connection breaks, and with it whatever else is underway on it: the network has failed. */
        record Disconnected() implements Outcome {}

        /** As HTTP has it; 0 where there is no answer. */
        default int code() {
            return this instanceof Answered(ApiReply reply) ? reply.code() : 0;
        }
    }

    /** Answers requests, many at a time, each on a thread of its own. */
    @FunctionalInterface
    interface Answerer {

        /**
         * Does what is asked for.
         *
         * @throws IOException where the client is gone before it has said all
         */
        Outcome answer(RawRequest request) throws IOException, InterruptedException;
    }
}
