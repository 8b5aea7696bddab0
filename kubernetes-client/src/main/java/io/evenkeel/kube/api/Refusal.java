package io.evenkeel.kube.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Why the server said no: what is read of its {@code Status}.
 *
 * @param message for people; where the body is no Status, the beginning of the body
 * @param kind what the request was about, such as {@code pods}; empty where the server does not say
 */
public record Refusal(String message, String kind) {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int LONGEST_FOREIGN_TEXT = 200;

    static Refusal read(int code, byte[] body) {
        String message = "";
        String kind = "";
        try (JsonParser in = JSON.createParser(body)) {
            if (in.nextToken() == JsonToken.START_OBJECT) {
                while (in.nextToken() == JsonToken.FIELD_NAME) {
                    String field = in.currentName();
                    JsonToken value = in.nextToken();
                    if (field.equals("message") && value == JsonToken.VALUE_STRING) {
                        message = in.getText();
                    } else if (field.equals("details") && value == JsonToken.START_OBJECT) {
                        kind = readKind(in);
                    } else {
                        in.skipChildren();
                    }
                }
            }
        } catch (IOException notJson) {
            // A proxy in between answers with what it likes; its text is shown below.
        }
        return new Refusal(message.isEmpty() ? foreign(code, body) : message, kind);
    }

    private static String readKind(JsonParser in) throws IOException {
        String kind = "";
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String field = in.currentName();
            JsonToken value = in.nextToken();
            if (field.equals("kind") && value == JsonToken.VALUE_STRING) {
                kind = in.getText();
            } else {
                in.skipChildren();
            }
        }
        return kind;
    }

    private static String foreign(int code, byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8).strip();
        String beginning = text.length() > LONGEST_FOREIGN_TEXT ? text.substring(0, LONGEST_FOREIGN_TEXT) : text;
        return "the server answered " + code + (beginning.isEmpty() ? "" : ": " + beginning);
    }
}
