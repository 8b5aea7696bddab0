package io.evenkeel.app.http;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

/** Errors as an object of kind Status, which Kubernetes clients know how to read. */
public final class ErrorStatus {
    private ErrorStatus() {}

    /** The request makes no sense, as this says. */
    public static Reply badRequest(String message) {
        return reply(400, "BadRequest", message, "");
    }

    public static Reply unauthorized() {
        return reply(401, "Unauthorized", "Unauthorized", "");
    }

    /** The user may not do it, as this says. */
    public static Reply forbidden(String what) {
        return reply(403, "Forbidden", what, "\"details\":{},");
    }

    /** There is none of its kind, such as {@code pods}, or not even the kind: then that is empty. */
    public static Reply notFound(String kind, String message) {
        String details = kind.isEmpty() ? "{}" : "{\"kind\":\"" + kind + "\"}";
        return reply(404, "NotFound", message, "\"details\":" + details + ",");
    }

    static Reply methodNotAllowed() {
        return reply(
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource",
                "\"details\":{},");
    }

    public static Reply tooMany() {
        return tooMany("Too many requests, please try again later.", 1);
    }

    /** So many that this one has to come again after so long. */
    public static Reply tooMany(String message, long seconds) {
        return later(429, "TooManyRequests", message, seconds);
    }

    /** Answers for a bug; the log has more. */
    public static Reply internal(String what) {
        return reply(500, "InternalError", "Internal error occurred: " + what, "\"details\":{},");
    }

    public static Reply unavailable(String message) {
        return unavailable(message, 1);
    }

    /** Answers that it is unavailable for so long. */
    public static Reply unavailable(String message, long seconds) {
        return later(503, "ServiceUnavailable", message, seconds);
    }

    /** An answer would have taken too long, and would again: no client is told to ask once more. */
    public static Reply timedOut(String message) {
        return reply(504, "Timeout", message, "\"details\":{},");
    }

    private static Reply later(int code, String reason, String message, long seconds) {
        return reply(code, reason, message, "\"details\":{\"retryAfterSeconds\":" + seconds + "},")
                .with("Retry-After", String.valueOf(seconds));
    }

    private static Reply reply(int code, String reason, String message, String details) {
        return Reply.json(
                code,
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\""
                        + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(message)) + "\",\"reason\":\""
                        + reason + "\"," + details + "\"code\":" + code + "}\n");
    }
}
