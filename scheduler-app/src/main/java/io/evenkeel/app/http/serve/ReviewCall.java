package io.evenkeel.app.http.serve;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.NoAnswer;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.write.Tree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Posts a review to the API server and reads its status. */
final class ReviewCall {
    private static final int LONGEST_ANSWER = 1 << 20;

    private ReviewCall() {}

    /** The object {@code status} of the answer. */
    static JsonObject status(ApiTransport server, String path, Tree review) throws ReviewFailedException {
        ApiCall call = ApiCall.send("POST", path, "application/json", review.json());
        try (ApiAnswer answer = server.call(call)) {
            byte[] content = answer.body().readNBytes(LONGEST_ANSWER);
            if (answer.code() < 200 || answer.code() > 299) {
                throw new ReviewFailedException("POST " + path + " was answered with " + answer.code() + ": "
                        + new String(content, StandardCharsets.UTF_8));
            }
            if (Trees.strict(new String(content, StandardCharsets.UTF_8)) instanceof JsonObject answered
                    && answered.get("status") instanceof JsonObject status) {
                return status;
            }
            throw new ReviewFailedException("POST " + path + " was answered without a status");
        } catch (IOException e) {
            throw new ReviewFailedException("POST " + path + ": " + NoAnswer.why(e), e);
        } catch (JsonParseException malformed) {
            throw new ReviewFailedException("POST " + path + ": " + malformed.getMessage(), malformed);
        }
    }

    static String text(JsonObject object, String field) {
        return object.get(field) instanceof JsonPrimitive value && value.isString() ? value.getAsString() : "";
    }

    static boolean truth(JsonObject object, String field) {
        return object.get(field) instanceof JsonPrimitive value && value.isBoolean() && value.getAsBoolean();
    }

    static List<String> texts(@Nullable JsonElement value) {
        return value instanceof JsonArray list
                ? list.asList().stream()
                        .map(each -> each instanceof JsonPrimitive text ? text.getAsString() : each.toString())
                        .toList()
                : List.of();
    }

    static JsonObject object(JsonObject parent, String field) {
        return parent.get(field) instanceof JsonObject object ? object : new JsonObject();
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
