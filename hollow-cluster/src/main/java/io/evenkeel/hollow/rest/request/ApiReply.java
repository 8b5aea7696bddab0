package io.evenkeel.hollow.rest.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonElement;
import io.evenkeel.hollow.encoding.JsonEncoding;
import io.evenkeel.hollow.status.ApiException;
import io.evenkeel.schema.TypeMeta;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * An answer.
 *
 * @param length 0 where it is not known before it is written
 * @param warnings what clients show to their users beside it
 */
public record ApiReply(
        int code, String contentType, long length, long retryAfterSeconds, List<String> warnings, Content content) {

    private static final JsonEncoding JSON = new JsonEncoding();

    /** Writes the body of an answer. */
    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException, InterruptedException;
    }

    public static ApiReply of(int code, String contentType, byte[] body) {
        return new ApiReply(code, contentType, body.length, 0, List.of(), out -> out.write(body));
    }

    public static ApiReply text(String body) {
        return text(200, body);
    }

    public static ApiReply text(int code, String body) {
        return of(code, "text/plain; charset=utf-8", body.getBytes(UTF_8));
    }

    public static ApiReply json(int code, JsonElement tree) {
        return of(code, "application/json", (tree + "\n").getBytes(UTF_8));
    }

    public static ApiReply stream(String contentType, Content content) {
        return new ApiReply(200, contentType, 0, 0, List.of(), content);
    }

    public static ApiReply status(ApiException refusal) {
        byte[] body = JSON.object(TypeMeta.STATUS, JSON.body(TypeMeta.STATUS, refusal.status()));
        return new ApiReply(
                refusal.code(),
                "application/json",
                body.length,
                refusal.retryAfterSeconds(),
                List.of(),
                out -> out.write(body));
    }

    public ApiReply warning(List<String> words) {
        return new ApiReply(code, contentType, length, retryAfterSeconds, words, content);
    }
}
