package io.evenkeel.hollow;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonElement;
import io.evenkeel.hollow.resource.Refusals.ApiException;
import io.evenkeel.schema.TypeMeta;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * An answer.
 *
 * @param warnings what clients show to their users beside it
 */
record ApiReply(int code, String contentType, long retryAfterSeconds, List<String> warnings, ReplyBody body) {

    private static final JsonEncoding JSON = new JsonEncoding();

    static ApiReply of(int code, String contentType, byte[] body) {
        return new ApiReply(code, contentType, 0, List.of(), new ReplyBody.Whole(body));
    }

    static ApiReply text(String body) {
        return text(200, body);
    }

    static ApiReply text(int code, String body) {
        return of(code, "text/plain; charset=utf-8", body.getBytes(UTF_8));
    }

    static ApiReply json(int code, JsonElement tree) {
        return of(code, "application/json", (tree + "\n").getBytes(UTF_8));
    }

    static ApiReply stream(String contentType, ReplyBody.Stream body) {
        return new ApiReply(200, contentType, 0, List.of(), body);
    }

    static ApiReply status(ApiException refusal) {
        byte[] body = JSON.object(TypeMeta.STATUS, JSON.body(TypeMeta.STATUS, refusal.status()));
        return new ApiReply(
                refusal.code(), "application/json", refusal.retryAfterSeconds(), List.of(), new ReplyBody.Whole(body));
    }

    ApiReply warning(List<String> words) {
        return new ApiReply(code, contentType, retryAfterSeconds, words, body);
    }

    sealed interface ReplyBody {

        void writeTo(OutputStream out) throws IOException, InterruptedException;

        @SuppressWarnings("ArrayRecordComponent") // nobody compares bodies
        record Whole(byte[] bytes) implements ReplyBody {
            @Override
            public void writeTo(OutputStream out) throws IOException {
                out.write(bytes);
            }
        }

        /** Written while it is worked out, as it is long or takes long. What is flushed goes out at once. */
        @FunctionalInterface
        non-sealed interface Stream extends ReplyBody {}
    }
}
