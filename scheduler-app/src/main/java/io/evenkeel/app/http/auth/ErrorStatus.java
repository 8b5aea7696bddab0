package io.evenkeel.app.http.auth;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.evenkeel.app.http.Reply;

/** Errors as an object of kind Status, which Kubernetes clients know how to read. */
final class ErrorStatus {
    private ErrorStatus() {}

    static Reply unauthorized() {
        return reply(401, "Unauthorized", "Unauthorized", "");
    }

    static Reply forbidden(String user, String verb, String path, String reason) {
        String what = "forbidden: User \"" + user + "\" cannot " + verb + " path \"" + path + "\"";
        return reply(403, "Forbidden", reason.isEmpty() ? what : what + ": " + reason, "\"details\":{},");
    }

    static Reply tooMany() {
        String message = "Too many requests, please try again later.";
        return reply(429, "TooManyRequests", message, "\"details\":{\"retryAfterSeconds\":1},")
                .with("Retry-After", "1");
    }

    private static Reply reply(int code, String reason, String message, String details) {
        return Reply.json(
                code,
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\""
                        + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(message)) + "\",\"reason\":\""
                        + reason + "\"," + details + "\"code\":" + code + "}\n");
    }
}
