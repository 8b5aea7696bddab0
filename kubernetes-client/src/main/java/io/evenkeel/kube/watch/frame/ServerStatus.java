package io.evenkeel.kube.watch.frame;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import io.evenkeel.model.read.ProtobufObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** What a {@code Status} object says; empty and 0 where it does not. */
public record ServerStatus(int code, String reason, String message, Optional<Duration> retryAfter) {
    private static final int MOST_BYTES = 1 << 16;
    private static final int MOST_TEXT = 300;

    /** Of an answer that is no 200. Servers answer with a Status, proxies with anything. */
    public static ServerStatus of(ApiAnswer answer) throws IOException {
        byte[] body = answer.body().readNBytes(MOST_BYTES);
        ServerStatus said = MediaTypes.isProtobuf(answer) ? ofProtobuf(body) : ofText(body);
        return new ServerStatus(
                answer.code(),
                said.reason,
                brief(said.message),
                answer.retryAfter().or(said::retryAfter));
    }

    private static ServerStatus ofProtobuf(byte[] body) {
        try {
            return of(ProtobufObject.of(body, 0, body.length));
        } catch (ObjectReadException noStatus) {
            return new ServerStatus(0, "", String.valueOf(noStatus.getMessage()), Optional.empty());
        }
    }

    private static ServerStatus ofText(byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8);
        try {
            return of(JsonParser.parseString(text).getAsJsonObject());
        } catch (JsonParseException | IllegalStateException noStatus) {
            return new ServerStatus(0, "", text.lines().findFirst().orElse(""), Optional.empty());
        }
    }

    public static ServerStatus of(ProtobufObject status) {
        String message = "";
        String reason = "";
        int code = 0;
        int seconds = 0;
        ProtobufCursor in = status.fields();
        while (in.next()) {
            switch (in.field()) {
                case 3 -> message = in.string();
                case 4 -> reason = in.string();
                case 5 -> seconds = retryAfterSeconds(in.message());
                case 6 -> code = in.int32();
                default -> {}
            }
        }
        return new ServerStatus(code, reason, brief(message), duration(seconds));
    }

    private static int retryAfterSeconds(ProtobufCursor details) {
        int seconds = 0;
        while (details.next()) {
            if (details.field() == 5) {
                seconds = details.int32();
            }
        }
        return seconds;
    }

    private static Optional<Duration> duration(long seconds) {
        return seconds > 0 ? Optional.of(Duration.ofSeconds(seconds)) : Optional.empty();
    }

    public static ServerStatus of(JsonObject status) {
        JsonElement details = status.get("details");
        long seconds =
                details != null && details.isJsonObject() ? number(details.getAsJsonObject(), "retryAfterSeconds") : 0;
        return new ServerStatus(
                (int) number(status, "code"),
                text(status, "reason"),
                brief(text(status, "message")),
                duration(seconds));
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
