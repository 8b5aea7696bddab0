package io.evenkeel.hollow.rest;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.util.Optional;

/**
 * A request, read to its end.
 *
 * @param caller who sent it
 * @param user the user that it is for: the caller, unless it acts as another
 */
public record ApiRequest(String method, String path, Query query, String accept, Body body, User caller, User user) {

    public static ApiRequest read(RawRequest raw, User caller) throws IOException {
        return new ApiRequest(
                raw.method(),
                raw.target().getRawPath(),
                Query.parse(Optional.ofNullable(raw.target().getRawQuery()).orElse("")),
                raw.header("Accept"),
                new Body(raw.header("Content-Type"), raw.body()),
                caller,
                caller.equals(User.ANONYMOUS)
                        ? caller
                        : ImpersonatedUser.of(raw).orElse(caller));
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
