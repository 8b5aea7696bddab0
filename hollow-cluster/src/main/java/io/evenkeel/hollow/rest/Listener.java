package io.evenkeel.hollow.rest;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** An HTTP server on a port of the loopback address, a virtual thread a request. */
final class Listener implements AutoCloseable {

    static {
        // read once, by the first server of the process: without it every small answer waits 40 ms for its
        // acknowledgement
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private static final int BACKLOG = 1024;

    private final HttpServer server;
    private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
    private final StoppableAcceptor acceptor;

    private Listener(HttpServer server) {
        this.server = server;
        this.acceptor = new StoppableAcceptor(server, requests);
    }

    /** Listens on a port, or on any free one if it is 0. */
    static Listener open(int port, Optional<SSLContext> tls, HttpHandler handler) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try {
            Listener listener =
                    new Listener(tls.isPresent() ? https(address, tls.get()) : HttpServer.create(address, BACKLOG));
            listener.server.setExecutor(listener.acceptor);
            listener.server.createContext("/", handler);
            listener.server.start();
            return listener;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on port %d: %s".formatted(port, e.getMessage()), e);
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        acceptor.stop();
        requests.shutdownNow();
    }

    private static HttpsServer https(InetSocketAddress address, SSLContext tls) throws IOException {
        HttpsServer server = HttpsServer.create(address, BACKLOG);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        return server;
    }
}
