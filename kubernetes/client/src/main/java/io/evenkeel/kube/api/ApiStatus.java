package io.evenkeel.kube.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import io.evenkeel.model.read.ProtobufObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * Why the server said no: what is read of its {@code Status}; empty and 0 where that does not say.
 *
 * @param message as it was said; where there was no Status, the beginning of what was answered instead
 * @param kind what the request was about, such as {@code pods}
 */
public record ApiStatus(int code, String reason, String message, String kind, Optional<Duration> retryAfter) {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int MOST_BYTES = 1 << 16;
    private static final int LONGEST_FOREIGN_TEXT = 200;

    /** Of an answer that is no 200. Servers answer with a Status, proxies in between with what they like. */
    public static ApiStatus of(ApiAnswer answer) throws IOException {
        byte[] body = answer.body().readNBytes(MOST_BYTES);
        return answer.isProtobuf()
                ? ofProtobuf(body).answered(answer.code(), answer.retryAfter(), "")
                : read(answer.code(), answer.retryAfter(), body);
    }

    /** Of the body that came with a code, in JSON if it is a Status. */
    static ApiStatus read(int code, Optional<Duration> retryAfter, byte[] body) {
        Reading reading = new Reading();
        try (JsonParser in = JSON.createParser(body)) {
            if (in.nextToken() == JsonToken.START_OBJECT) {
                reading.object(in);
            }
        } catch (IOException notJson) {
            // Its text is shown as it is.
        }
        return reading.status().answered(code, retryAfter, new String(body, StandardCharsets.UTF_8));
    }

    /** Reads the value that begins where the parser stands. */
    public static ApiStatus of(JsonParser in) throws IOException {
        Reading reading = new Reading();
        if (in.currentToken() == JsonToken.START_OBJECT) {
            reading.object(in);
        }
        return reading.status();
    }

    public static ApiStatus of(ProtobufObject status) {
        Reading reading = new Reading();
        reading.object(status.fields());
        return reading.status();
    }

    private static ApiStatus ofProtobuf(byte[] body) {
        try {
            return of(ProtobufObject.of(body, 0, body.length));
        } catch (ObjectReadException noStatus) {
            return new ApiStatus(0, "", String.valueOf(noStatus.getMessage()), "", Optional.empty());
        }
    }

    private ApiStatus answered(int withCode, Optional<Duration> asked, String body) {
        String text = body.strip();
        String beginning = text.length() > LONGEST_FOREIGN_TEXT ? text.substring(0, LONGEST_FOREIGN_TEXT) : text;
        return new ApiStatus(
                withCode, reason, message.isEmpty() ? beginning : message, kind, asked.or(() -> retryAfter));
    }

    /** For people: the message, with the code where it may be a proxy's that says nothing of Kubernetes. */
    public String explanation() {
        if (!reason.isEmpty()) {
            return message;
        }
        return "the server answered " + code + (message.isEmpty() ? "" : ": " + message);
    }

    /** Fields of a Status that have been read so far, in either encoding. */
    private static final class Reading {
        private int code;
        private String reason = "";
        private String message = "";
        private String kind = "";
        private int retryAfterSeconds;

        void object(JsonParser in) throws IOException {
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String field = in.currentName();
                JsonToken value = in.nextToken();
                switch (field) {
                    case "message" -> message = text(in);
                    case "reason" -> reason = text(in);
                    case "code" -> code = in.getValueAsInt();
                    case "details" -> {
                        if (value == JsonToken.START_OBJECT) {
                            details(in);
                        }
                    }
                    default -> {}
                }
                in.skipChildren();
            }
        }

        private void details(JsonParser in) throws IOException {
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String field = in.currentName();
                in.nextToken();
                switch (field) {
                    case "kind" -> kind = text(in);
                    case "retryAfterSeconds" -> retryAfterSeconds = in.getValueAsInt();
                    default -> {}
                }
                in.skipChildren();
            }
        }

        private static String text(JsonParser in) throws IOException {
            return in.currentToken() == JsonToken.VALUE_STRING ? in.getText() : "";
        }

        void object(ProtobufCursor in) {
            while (in.next()) {
                switch (in.field()) {
                    case 3 -> message = in.string();
                    case 4 -> reason = in.string();
                    case 5 -> details(in.message());
                    case 6 -> code = in.int32();
                    default -> {}
                }
            }
        }

        private void details(ProtobufCursor in) {
            while (in.next()) {
                switch (in.field()) {
                    case 3 -> kind = in.string();
                    case 5 -> retryAfterSeconds = in.int32();
                    default -> {}
                }
            }
        }

        ApiStatus status() {
            Optional<Duration> retryAfter =
                    retryAfterSeconds > 0 ? Optional.of(Duration.ofSeconds(retryAfterSeconds)) : Optional.empty();
            return new ApiStatus(code, reason, message, kind, retryAfter);
        }
    }
}
