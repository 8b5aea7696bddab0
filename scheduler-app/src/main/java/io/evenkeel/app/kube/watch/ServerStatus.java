package io.evenkeel.app.kube.watch;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.evenkeel.app.kube.ApiAnswer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** What a {@code Status} object says; empty and 0 where it does not. */
record ServerStatus(int code, String reason, String message, Optional<Duration> retryAfter) {
    private static final int MOST_BYTES = 1 << 16;
    private static final int MOST_TEXT = 300;

    /** Of an answer that is no 200. Servers answer with a Status, proxies with anything. */
    static ServerStatus of(ApiAnswer answer) throws IOException {
        String text = new String(answer.body().readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        ServerStatus said;
        try {
            said = of(JsonParser.parseString(text).getAsJsonObject());
        } catch (JsonParseException | IllegalStateException noStatus) {
            said = new ServerStatus(0, "", text.lines().findFirst().orElse(""), Optional.empty());
        }
        return new ServerStatus(
                answer.code(),
                said.reason,
                brief(said.message),
                answer.retryAfter().or(said::retryAfter));
    }

    static ServerStatus of(JsonObject status) {
        JsonElement details = status.get("details");
        long seconds =
                details != null && details.isJsonObject() ? number(details.getAsJsonObject(), "retryAfterSeconds") : 0;
        return new ServerStatus(
                (int) number(status, "code"),
                text(status, "reason"),
                brief(text(status, "message")),
                seconds > 0 ? Optional.of(Duration.ofSeconds(seconds)) : Optional.empty());
    }

    private static String brief(String text) {
        return text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT) + "…";
    }

    private static String text(JsonObject from, String field) {
        JsonElement value = from.get(field);
        return value != null && value.isJsonPrimitive() ? value.getAsString() : "";
    }

    private static long number(JsonObject from, String field) {
        JsonElement value = from.get(field);
        try {
            return value != null && value.isJsonPrimitive() ? value.getAsLong() : 0;
        } catch (NumberFormatException notANumber) {
            return 0;
        }
    }
}
