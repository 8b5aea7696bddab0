package io.evenkeel.hollow.rest;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Hands requests to their threads, and stops the server on the very thread that accepts its connections.
 *
 * <p>Stopped from another thread, the JDK's server loses a connection that it accepts between closing all it knows and
 * forgetting them: that one is neither served nor closed, and its client waits for its own timeout (one stop in some
 * thousand). The accepting thread comes by here with every request, so a stop sends one.
 */
final class StoppableAcceptor implements Executor {
    private final HttpServer server;
    private final Executor requests;
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private volatile boolean stopping;

    StoppableAcceptor(HttpServer server, Executor requests) {
        this.server = server;
        this.requests = requests;
    }

    @Override
    public void execute(Runnable request) {
        if (!stopping) {
            requests.execute(request);
        } else {
            server.stop(0);
            stopped.complete(null);
        }
    }

    /** Closes all connections, and returns when the accepting thread has ended. */
    void stop() {
        InetSocketAddress address = server.getAddress();
        stopping = true;
        try (Socket caller = new Socket(address.getAddress(), address.getPort())) {
            caller.getOutputStream().write('\n');
            stopped.join();
        } catch (IOException cutOff) {
            // Another request came by first, and the stop that it brought closed this connection as well.
        }
        server.stop(0);
    }
}
