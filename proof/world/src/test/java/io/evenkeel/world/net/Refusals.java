package io.evenkeel.world.net;

import java.util.List;

/** What servers and what stands before them say when they will not do something; to ask again at once is no use. */
final class Refusals {
    private static final List<Reply> ALL = List.of(
            Reply.refusal(
                    403,
                    "Forbidden",
                    "is forbidden: exceeded quota: compute, requested: pods=1, used: pods=8, limited: pods=8",
                    0),
            Reply.refusal(403, "Forbidden", "unable to create new content because it is being terminated", 0),
            Reply.refusal(400, "BadRequest", "admission webhook \\\"no.example.com\\\" denied the request: no", 0),
            Reply.refusal(
                    409,
                    "Conflict",
                    "the object has been modified; please apply your changes to the latest version and try again",
                    0),
            Reply.refusal(422, "Invalid", "is invalid: spec: Forbidden: by policy", 0),
            Reply.page(404),
            Reply.refusal(401, "Unauthorized", "Unauthorized", 0));

    private Refusals() {}

    static Reply of(Weather weather) {
        return weather.from(ALL);
    }
}
