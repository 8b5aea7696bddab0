package io.evenkeel.hollow.rest;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.evenkeel.hollow.auth.Attributes;
import io.evenkeel.hollow.auth.Tokens;
import io.evenkeel.hollow.auth.User;
import io.evenkeel.hollow.fault.Fault;
import io.evenkeel.hollow.fault.Faults;
import io.evenkeel.hollow.rest.request.ApiReply;
import io.evenkeel.hollow.rest.request.ApiRequest;
import io.evenkeel.hollow.rest.request.RequestPath;
import io.evenkeel.hollow.status.ApiException;
import io.evenkeel.hollow.status.Refusals;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Every request passes here: who calls, what for, may they, does something go wrong, and what is the answer. */
final class Gateway implements HttpHandler {

    private static final Set<String> HEALTH = Set.of("/healthz", "/livez", "/readyz");

    private final Tokens tokens;
    private final Router router;
    private final Faults faults;
    private final RequestLog log;

    Gateway(Tokens tokens, Router router, Faults faults, RequestLog log) {
        this.tokens = tokens;
        this.router = router;
        this.faults = faults;
        this.log = log;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Optional<ApiReply> reply = reply(exchange);
            if (reply.isPresent()) {
                send(exchange, reply.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Does what is asked for; no answer if the connection is to break instead. */
    private Optional<ApiReply> reply(HttpExchange exchange) throws IOException, InterruptedException {
        log.begun();
        try {
            Optional<User> user = tokens.userOfHeader(ApiRequest.header(exchange, "Authorization"));
            ApiRequest request = ApiRequest.read(exchange, user.orElse(User.ANONYMOUS));
            if (HEALTH.contains(request.path())) {
                return Optional.of(ApiReply.text("ok"));
            }
            List<String> segments = RequestPath.segments(request.path());
            Attributes attributes = router.attributes(request, segments);
            delay();
            faults.awaitLetOn(attributes);
            return log.enter(
                    () -> reply(request, segments, attributes, user.isPresent()),
                    reply -> new LoggedRequest(
                            request.method(),
                            exchange.getRequestURI().toString(),
                            reply.map(ApiReply::code).orElse(0),
                            request.user().name(),
                            attributes));
        } finally {
            log.ended();
        }
    }

    private Optional<ApiReply> reply(
            ApiRequest request, List<String> segments, Attributes attributes, boolean authenticated) {
        if (!authenticated) {
            return Optional.of(ApiReply.status(Refusals.unauthorized()));
        }
        Optional<Fault> fault = faults.strike(attributes);
        return fault.isEmpty()
                ? Optional.of(reply(request, segments, attributes))
                : faulty(fault.get(), request, segments, attributes);
    }

    /** The answer of a request that something goes wrong with; none if the connection breaks. */
    private Optional<ApiReply> faulty(Fault fault, ApiRequest request, List<String> segments, Attributes attributes) {
        return switch (fault) {
            case Fault.Refuse refuse -> Optional.of(ApiReply.status(refusal(refuse)));
            case Fault.DropRequest _ -> Optional.empty();
            case Fault.DropAnswer _ -> {
                reply(request, segments, attributes);
                yield Optional.empty();
            }
        };
    }

    private ApiReply reply(ApiRequest request, List<String> segments, Attributes attributes) {
        try {
            return router.route(request, segments, attributes);
        } catch (ApiException e) {
            return ApiReply.status(e);
        } catch (RuntimeException e) {
            return ApiReply.status(Refusals.internal("Internal error occurred: " + e));
        }
    }

    private static ApiException refusal(Fault.Refuse refuse) {
        var details = new com.google.gson.JsonObject();
        if (refuse.retryAfterSeconds() > 0) {
            details.addProperty("retryAfterSeconds", refuse.retryAfterSeconds());
        }
        return switch (refuse.code()) {
            case 409 -> Refusals.refuse(409, "Conflict", "the object has been modified (ordered)", details);
            case 429 ->
                Refusals.refuse(429, "TooManyRequests", "too many requests, please try again later (ordered)", details);
            case 503 -> Refusals.refuse(503, "ServiceUnavailable", "the server is unavailable (ordered)", details);
            default -> Refusals.refuse(refuse.code(), "InternalError", "an error occurred (ordered)", details);
        };
    }

    private void delay() throws InterruptedException {
        Duration latency = faults.currentLatency();
        if (latency.isPositive()) {
            Thread.sleep(latency);
        }
    }

    private static void send(HttpExchange exchange, ApiReply reply) throws IOException, InterruptedException {
        exchange.getResponseHeaders().set("Content-Type", reply.contentType());
        exchange.getResponseHeaders().set("Cache-Control", "no-cache, private");
        if (reply.retryAfterSeconds() > 0) {
            exchange.getResponseHeaders().set("Retry-After", Long.toString(reply.retryAfterSeconds()));
        }
        reply.warnings()
                .forEach(words ->
                        exchange.getResponseHeaders().add("Warning", "299 - \"" + words.replace("\"", "\\\"") + '"'));
        exchange.sendResponseHeaders(reply.code(), reply.length());
        try (OutputStream out = exchange.getResponseBody()) {
            reply.content().writeTo(out);
        }
    }
}
