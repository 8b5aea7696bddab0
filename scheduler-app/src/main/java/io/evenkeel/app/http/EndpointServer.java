package io.evenkeel.app.http;

import io.evenkeel.app.http.Answer.StreamedReply;
import io.evenkeel.app.http.OpenConnections.Limits;
import io.evenkeel.app.http.Routes.Endpoint;
import io.evenkeel.app.http.Routes.Setter;
import io.evenkeel.kube.api.Supervisor;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves routes at one address, each connection on a virtual thread of its own. */
public final class EndpointServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EndpointServer.class);
    private static final int WORTH_COMPRESSING = 1024;
    private static final int STREAM_BUFFER = 16 * 1024;

    private final Listener listener;

    private EndpointServer(Listener listener) {
        this.listener = listener;
    }

    /** Serves plain HTTP; port 0 takes a free one. */
    public static EndpointServer plain(
            InetSocketAddress address, Routes routes, AccessControl access, Supervisor supervisor) throws IOException {
        return serve(address, Optional.empty(), routes, access, supervisor);
    }

    /** Serves HTTPS; port 0 takes a free one. */
    public static EndpointServer secure(
            InetSocketAddress address, TlsLayer tls, Routes routes, AccessControl access, Supervisor supervisor)
            throws IOException {
        return serve(address, Optional.of(tls), routes, access, supervisor);
    }

    private static EndpointServer serve(
            InetSocketAddress address,
            Optional<TlsLayer> tls,
            Routes routes,
            AccessControl access,
            Supervisor supervisor)
            throws IOException {
        return new EndpointServer(
                new Listener(address, tls, exchange -> handle(exchange, routes, access), Limits.DEFAULT, supervisor));
    }

    public InetSocketAddress address() {
        return listener.address();
    }

    /** Stops at once; requests that are being answered are cut off. */
    @Override
    public void close() {
        listener.close();
    }

    private static void handle(Exchange exchange, Routes routes, AccessControl access) throws IOException {
        Request request = Request.of(exchange);
        switch (answer(exchange, request, routes, access)) {
            case Reply reply -> sendWhole(exchange, request, reply);
            case StreamedReply reply -> {
                try {
                    sendAsMade(exchange, request, reply);
                } finally {
                    reply.end().run();
                }
            }
        }
    }

    private static Answer answer(Exchange exchange, Request request, Routes routes, AccessControl access)
            throws IOException {
        try {
            if (routes.isOpen(request.path())) {
                return answer(exchange, request, routes);
            }
            return switch (access.admission(request)) {
                case AccessControl.TurnedAway(var reply) -> reply;
                case AccessControl.Passed(var passed) -> answer(exchange, passed, routes);
            };
        } catch (RuntimeException e) {
            log.atError()
                    .setMessage("Request failed")
                    .addKeyValue("path", request.path())
                    .setCause(e)
                    .log();
            return Failures.internal(request);
        }
    }

    private static Answer answer(Exchange exchange, Request request, Routes routes) throws IOException {
        Optional<Setter> setter = routes.setter(request.path());
        if (setter.isPresent() && request.method().equals(Setter.METHOD)) {
            int longest = setter.get().longest();
            Optional<byte[]> value = exchange.body(longest);
            return value.isEmpty()
                    ? Reply.text(400, "expected a body of " + longest + " bytes at most, with its Content-Length\n")
                    : setter.get().set(request, new String(value.get(), StandardCharsets.UTF_8));
        }
        Optional<Endpoint> endpoint = routes.find(request.path());
        if (endpoint.isEmpty()) {
            return Failures.notFound(request);
        }
        // that of a setter refuses all else itself
        return request.isRead() || setter.isPresent()
                ? endpoint.get().answer(request)
                : Failures.methodNotAllowed(request);
    }

    private static Map<String, String> headers(Answer answer) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", answer.contentType());
        headers.put("Cache-Control", "no-cache, private");
        headers.put("X-Content-Type-Options", "nosniff");
        return headers;
    }

    private static void sendWhole(Exchange exchange, Request request, Reply reply) throws IOException {
        Map<String, String> headers = headers(reply);
        headers.putAll(reply.headers());
        byte[] body = reply.body();
        if (body.length >= WORTH_COMPRESSING) {
            headers.put("Vary", "Accept-Encoding");
            if (request.acceptsGzip()) {
                headers.put("Content-Encoding", "gzip");
                body = gzip(body);
            }
        }
        exchange.answer(reply.code(), headers, body);
    }

    private static void sendAsMade(Exchange exchange, Request request, StreamedReply reply) throws IOException {
        Map<String, String> headers = headers(reply);
        boolean isCompressed = request.acceptsGzip() && !reply.isLive();
        headers.put("Vary", "Accept-Encoding");
        if (isCompressed) {
            headers.put("Content-Encoding", "gzip");
        }
        if (exchange.isForHeadersOnly()) {
            exchange.answerHeaders(200, headers);
            return;
        }
        OutputStream content = exchange.begin(200, headers);
        OutputStream out = isCompressed
                ? new GZIPOutputStream(content, STREAM_BUFFER)
                : new BufferedOutputStream(content, STREAM_BUFFER);
        reply.content().writeTo(out);
        out.close();
    }

    private static byte[] gzip(byte[] body) throws IOException {
        var compressed = new ByteArrayOutputStream(body.length / 4);
        try (var gzip = new GZIPOutputStream(compressed)) {
            gzip.write(body);
        }
        return compressed.toByteArray();
    }

    /** Answers to requests that come to nothing: for clients of Kubernetes, which ask below {@code /apis}, as a Status. */
    private static final class Failures {
        private static final String APIS = "/apis";

        private Failures() {}

        static Reply notFound(Request request) {
            return isForApis(request)
                    ? ErrorStatus.notFound("", "the server could not find the requested resource")
                    : Reply.notFound();
        }

        static Reply methodNotAllowed(Request request) {
            return isForApis(request)
                    ? ErrorStatus.methodNotAllowed().with("Allow", Request.READS)
                    : Reply.notAllowed(Request.READS);
        }

        static Reply internal(Request request) {
            return isForApis(request)
                    ? ErrorStatus.internal("the log says more")
                    : Reply.text(500, "Internal Server Error\n");
        }

        private static boolean isForApis(Request request) {
            return request.path().equals(APIS) || request.path().startsWith(APIS + "/");
        }
    }

    /** TLS over a connection that has just been accepted, as its server; no hands are shaken yet. */
    @FunctionalInterface
    public interface TlsLayer {
        /** The layer over a connection on which the client has said this already. */
        SSLSocket over(Socket connection, InputStream read) throws IOException;
    }

    /** A guard that lets a request pass or answers it; called by several threads at once, and may block. */
    @FunctionalInterface
    public interface AccessControl {
        AccessControl OPEN_TO_ALL = new AccessControl() {
            @Override
            public Admission admission(Request request) {
                return new Passed(request);
            }
        };

        /** Whether a request passes. */
        sealed interface Admission {}

        /** It does, with the name of its user where that is known. */
        record Passed(Request request) implements Admission {}

        /** It does not; this is the answer. */
        record TurnedAway(Reply reply) implements Admission {}

        Admission admission(Request request);

        default Optional<Reply> refusal(Request request) {
            return admission(request) instanceof TurnedAway(var reply) ? Optional.of(reply) : Optional.empty();
        }
    }
}
