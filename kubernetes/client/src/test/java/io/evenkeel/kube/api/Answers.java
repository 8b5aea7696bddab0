package io.evenkeel.kube.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Answers of an API server, some of them recorded from a real one. */
public record Answers(int code, Optional<Duration> retryAfter, String text) implements ApiAnswer {
    private static final Map<String, Answers> RECORDED = readRecorded();

    public static Answers of(int code, String text) {
        return new Answers(code, Optional.empty(), text);
    }

    public static Answers tooMany(Duration retryAfter) {
        return new Answers(429, Optional.of(retryAfter), "");
    }

    /** What a real server answered in this step. */
    public static Answers recorded(String step) {
        return Optional.ofNullable(RECORDED.get(step)).orElseThrow(() -> new IllegalArgumentException(step));
    }

    private static Map<String, Answers> readRecorded() {
        Map<String, Answers> answers = new HashMap<>();
        try (InputStream file = Answers.class.getResourceAsStream("/apiserver/answers.jsonl");
                JsonParser in = new JsonFactory().createParser(file)) {
            while (in.nextToken() == JsonToken.START_OBJECT) {
                String step = "";
                String body = "";
                int code = 0;
                while (in.nextToken() == JsonToken.FIELD_NAME) {
                    String field = in.currentName();
                    in.nextToken();
                    switch (field) {
                        case "step" -> step = in.getText();
                        case "status" -> code = in.getIntValue();
                        case "body" -> body = in.getText();
                        default -> throw new IllegalStateException(field);
                    }
                }
                answers.put(step, of(code, body));
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return answers;
    }

    @Override
    public String contentType() {
        return "application/json";
    }

    @Override
    public InputStream body() {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void cutOff() {}

    @Override
    public void close() {}
}
