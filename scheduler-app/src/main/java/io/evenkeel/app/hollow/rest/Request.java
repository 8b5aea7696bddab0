package io.evenkeel.app.hollow.rest;

import com.google.gson.JsonObject;
import com.sun.net.httpserver.HttpExchange;
import io.evenkeel.app.hollow.auth.User;
import java.io.IOException;
import java.util.Optional;

/** A request, read to its end. */
record Request(String method, String path, Query query, String accept, Body body, User user) {

    static Request read(HttpExchange exchange, User user) throws IOException {
        return new Request(
                exchange.getRequestMethod(),
                exchange.getRequestURI().getRawPath(),
                Query.parse(Optional.ofNullable(exchange.getRequestURI().getRawQuery())
                        .orElse("")),
                header(exchange, "Accept"),
                new Body(
                        header(exchange, "Content-Type"),
                        exchange.getRequestBody().readAllBytes()),
                user);
    }

    static String header(HttpExchange exchange, String name) {
        return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name)).orElse("");
    }

    JsonObject object() {
        return body.object();
    }

    JsonObject objectOrEmpty() {
        return body.isEmpty() ? new JsonObject() : object();
    }

    boolean dryRun() {
        return query.text("dryRun").equals("All");
    }
}
