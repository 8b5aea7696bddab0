package io.evenkeel.app.hollow.rest;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.sun.net.httpserver.HttpExchange;
import io.evenkeel.app.hollow.auth.User;
import io.evenkeel.app.hollow.json.Trees;
import io.evenkeel.app.hollow.protobuf.ProtobufBody;
import io.evenkeel.app.hollow.status.Refusals;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** A request, read to its end. What came as protobuf is JSON from here on. */
record Request(String method, String path, Query query, String accept, String contentType, String body, User user) {
    private static final String JSON = "application/json";

    static Request read(HttpExchange exchange, User user) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String contentType = header(exchange, "Content-Type");
        Optional<JsonObject> message = ProtobufBody.read(contentType, body);
        return new Request(
                exchange.getRequestMethod(),
                exchange.getRequestURI().getRawPath(),
                Query.parse(Optional.ofNullable(exchange.getRequestURI().getRawQuery())
                        .orElse("")),
                header(exchange, "Accept"),
                message.isPresent() ? JSON : contentType,
                message.map(JsonObject::toString).orElseGet(() -> new String(body, StandardCharsets.UTF_8)),
                user);
    }

    static String header(HttpExchange exchange, String name) {
        return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name)).orElse("");
    }

    JsonObject object() {
        String mediaType = contentType.split(";", -1)[0].strip();
        if (!mediaType.isEmpty() && !mediaType.equals(JSON) && !mediaType.equals("*/*")) {
            throw Refusals.unsupportedMediaType(List.of(JSON));
        }
        try {
            return Trees.parse(body);
        } catch (JsonParseException | IllegalStateException e) {
            throw Refusals.badRequest("couldn't parse the request's body: " + e.getMessage());
        }
    }

    JsonObject objectOrEmpty() {
        return body.isBlank() ? new JsonObject() : object();
    }

    boolean dryRun() {
        return query.text("dryRun").equals("All");
    }
}
