package io.evenkeel.app.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves routes at one address, each request on a virtual thread of its own. */
public final class EndpointServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EndpointServer.class);
    private static final int WORTH_COMPRESSING = 1024;
    private static final int STREAM_BUFFER = 16 * 1024;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private EndpointServer(HttpServer server, Routes routes, AccessControl access) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", exchange -> handle(exchange, routes, access));
        server.start();
    }

    /** Serves plain HTTP; port 0 takes a free one. */
    public static EndpointServer plain(InetSocketAddress address, Routes routes, AccessControl access)
            throws IOException {
        return new EndpointServer(HttpServer.create(address, 0), routes, access);
    }

    /** Serves HTTPS; port 0 takes a free one. */
    public static EndpointServer secure(
            InetSocketAddress address, HttpsConfigurator tls, Routes routes, AccessControl access) throws IOException {
        HttpsServer server = HttpsServer.create(address, 0);
        server.setHttpsConfigurator(tls);
        return new EndpointServer(server, routes, access);
    }

    public InetSocketAddress address() {
        return server.getAddress();
    }

    /** Stops at once; requests that are being answered are cut off. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private static void handle(HttpExchange exchange, Routes routes, AccessControl access) throws IOException {
        try (exchange) {
            Request request = Request.of(exchange);
            send(exchange, request, answer(request, routes, access));
        }
    }

    private static Answer answer(Request request, Routes routes, AccessControl access) {
        try {
            Optional<Reply> refusal = access.refusal(request);
            if (refusal.isPresent()) {
                return refusal.get();
            }
            Optional<Endpoint> endpoint = routes.find(request.path());
            if (endpoint.isEmpty()) {
                return Reply.notFound();
            }
            boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
            return reads
                    ? endpoint.get().answer(request)
                    : Reply.text(405, "Method Not Allowed\n").with("Allow", "GET, HEAD");
        } catch (RuntimeException e) {
            log.atError()
                    .setMessage("Request failed")
                    .addKeyValue("path", request.path())
                    .setCause(e)
                    .log();
            return Reply.text(500, "Internal Server Error\n");
        }
    }

    private static void send(HttpExchange exchange, Request request, Answer answer) throws IOException {
        var headers = exchange.getResponseHeaders();
        headers.set("Content-Type", answer.contentType());
        headers.set("Cache-Control", "no-cache, private");
        headers.set("X-Content-Type-Options", "nosniff");
        switch (answer) {
            case Reply reply -> sendWhole(exchange, request, reply);
            case StreamedReply reply -> sendAsMade(exchange, request, reply);
        }
    }

    private static void sendWhole(HttpExchange exchange, Request request, Reply reply) throws IOException {
        var headers = exchange.getResponseHeaders();
        reply.headers().forEach(headers::set);
        byte[] body = reply.body();
        if (body.length >= WORTH_COMPRESSING) {
            headers.set("Vary", "Accept-Encoding");
            if (request.acceptsGzip()) {
                headers.set("Content-Encoding", "gzip");
                body = gzip(body);
            }
        }
        if (request.method().equals("HEAD")) {
            headers.set("Content-Length", String.valueOf(body.length));
            exchange.sendResponseHeaders(reply.code(), -1);
            return;
        }
        exchange.sendResponseHeaders(reply.code(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    private static void sendAsMade(HttpExchange exchange, Request request, StreamedReply reply) throws IOException {
        var headers = exchange.getResponseHeaders();
        headers.set("Vary", "Accept-Encoding");
        if (request.acceptsGzip()) {
            headers.set("Content-Encoding", "gzip");
        }
        boolean head = request.method().equals("HEAD");
        exchange.sendResponseHeaders(200, head ? -1 : 0);
        if (head) {
            return;
        }
        try (OutputStream out = request.acceptsGzip()
                ? new GZIPOutputStream(exchange.getResponseBody(), STREAM_BUFFER)
                : new BufferedOutputStream(exchange.getResponseBody(), STREAM_BUFFER)) {
            reply.content().writeTo(out);
        }
    }

    private static byte[] gzip(byte[] body) throws IOException {
        var compressed = new ByteArrayOutputStream(body.length / 4);
        try (var gzip = new GZIPOutputStream(compressed)) {
            gzip.write(body);
        }
        return compressed.toByteArray();
    }
}
