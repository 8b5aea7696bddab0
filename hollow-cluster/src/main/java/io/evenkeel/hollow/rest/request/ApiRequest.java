package io.evenkeel.hollow.rest.request;

import com.google.gson.JsonObject;
import com.sun.net.httpserver.HttpExchange;
import io.evenkeel.hollow.auth.User;
import java.io.IOException;
import java.util.Optional;

/**
 * A request, read to its end.
 *
 * @param caller who sent it
 * @param user on whose behalf: the caller's own, unless it acts as another
 */
public record ApiRequest(String method, String path, Query query, String accept, Body body, User caller, User user) {

    public static ApiRequest read(HttpExchange exchange, User caller) throws IOException {
        return new ApiRequest(
                exchange.getRequestMethod(),
                exchange.getRequestURI().getRawPath(),
                Query.parse(Optional.ofNullable(exchange.getRequestURI().getRawQuery())
                        .orElse("")),
                header(exchange, "Accept"),
                new Body(
                        header(exchange, "Content-Type"),
                        exchange.getRequestBody().readAllBytes()),
                caller,
                caller.equals(User.ANONYMOUS)
                        ? caller
                        : ImpersonatedUser.of(exchange.getRequestHeaders()).orElse(caller));
    }

    public static String header(HttpExchange exchange, String name) {
        return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name)).orElse("");
    }

    public JsonObject object() {
        return body.object();
    }

    public JsonObject objectOrEmpty() {
        return body.isEmpty() ? new JsonObject() : object();
    }

    public boolean dryRun() {
        return query.text("dryRun").equals("All");
    }
}
