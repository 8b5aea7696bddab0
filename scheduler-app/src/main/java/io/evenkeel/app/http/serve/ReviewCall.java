package io.evenkeel.app.http.serve;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.NoAnswer;
import io.evenkeel.model.write.Tree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Posts a review to the API server and reads its status. */
final class ReviewCall {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int LONGEST_ANSWER = 1 << 20;

    private ReviewCall() {}

    /** The object {@code status} of the answer, as maps, lists, strings and booleans. */
    static Map<String, Object> status(ApiTransport server, String path, Tree review) throws ReviewFailedException {
        ApiCall call = ApiCall.send("POST", path, "application/json", review.json());
        try (ApiAnswer answer = server.call(call)) {
            byte[] content = answer.body().readNBytes(LONGEST_ANSWER);
            if (answer.code() < 200 || answer.code() > 299) {
                throw new ReviewFailedException("POST " + path + " was answered with " + answer.code() + ": "
                        + new String(content, StandardCharsets.UTF_8));
            }
            try (JsonParser json = JSON.createParser(content)) {
                json.nextToken();
                if (value(json) instanceof Map<?, ?> answered && answered.get("status") instanceof Map<?, ?> status) {
                    return stringKeys(status);
                }
            }
            throw new ReviewFailedException("POST " + path + " was answered without a status");
        } catch (IOException e) {
            throw new ReviewFailedException("POST " + path + ": " + NoAnswer.why(e), e);
        }
    }

    static String text(Map<String, Object> object, String field) {
        return object.get(field) instanceof String text ? text : "";
    }

    static boolean truth(Map<String, Object> object, String field) {
        return Boolean.TRUE.equals(object.get(field));
    }

    static List<String> texts(Object value) {
        return value instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }

    static Map<String, Object> object(Map<String, Object> parent, String field) {
        return parent.get(field) instanceof Map<?, ?> map ? stringKeys(map) : Map.of();
    }

    private static Map<String, Object> stringKeys(Map<?, ?> map) {
        Map<String, Object> typed = new LinkedHashMap<>();
        map.forEach((key, value) -> typed.put(String.valueOf(key), value));
        return typed;
    }

    private static Object value(JsonParser json) throws IOException {
        JsonToken token = json.currentToken();
        if (token == JsonToken.START_OBJECT) {
            Map<String, Object> object = new LinkedHashMap<>();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                json.nextToken();
                object.put(name, value(json));
            }
            return object;
        }
        if (token == JsonToken.START_ARRAY) {
            List<Object> list = new ArrayList<>();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                list.add(value(json));
            }
            return list;
        }
        if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
            return token == JsonToken.VALUE_TRUE;
        }
        return json.getText();
    }

    /** The API server was not asked, as it is asked so much already. */
    static final class TooManyReviewsException extends ReviewFailedException {
        private static final long serialVersionUID = 1L;

        TooManyReviewsException(String message) {
            super(message);
        }
    }

    /** The API server could not be asked, or gave no answer to the question. */
    static class ReviewFailedException extends Exception {
        private static final long serialVersionUID = 1L;

        ReviewFailedException(String message) {
            super(message);
        }

        ReviewFailedException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
