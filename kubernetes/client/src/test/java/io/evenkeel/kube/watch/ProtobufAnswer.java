package io.evenkeel.kube.watch;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.hollow.Encoding;
import io.evenkeel.hollow.Encoding.ListMeta;
import io.evenkeel.schema.TypeMeta;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/** Answers in protobuf, told in JSON. */
final class ProtobufAnswer {
    private static final Encoding ENCODING = Encoding.protobuf();

    private ProtobufAnswer() {}

    static FakeAnswer stream(byte[]... frames) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        Arrays.stream(frames).forEach(body::writeBytes);
        return answer(200, ENCODING.watchContentType(), body.toByteArray());
    }

    static byte[] frame(String event) {
        JsonObject tree = parse(event);
        return ENCODING.event(tree.get("type").getAsString(), object(tree.getAsJsonObject("object")));
    }

    static FakeAnswer status(int code, String status) {
        return answer(code, ENCODING.mediaType(), object(parse(status)));
    }

    static byte[] page(String list) throws IOException {
        JsonObject tree = parse(list);
        JsonObject meta = tree.getAsJsonObject("metadata");
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        ENCODING.list(
                body,
                new TypeMeta("v1", tree.get("kind").getAsString()),
                new ListMeta(
                        meta.get("resourceVersion").getAsString(),
                        meta.get("continue").getAsString(),
                        7),
                tree.getAsJsonArray("items").asList().stream()
                        .map(item -> ENCODING.body(new TypeMeta("v1", "Pod"), item.getAsJsonObject()))
                        .toList());
        return body.toByteArray();
    }

    static FakeAnswer list(byte[] body) {
        return answer(200, ENCODING.mediaType(), body);
    }

    private static byte[] object(JsonObject object) {
        JsonElement kind = object.get("kind");
        TypeMeta type = new TypeMeta("v1", kind == null ? "Status" : kind.getAsString());
        return ENCODING.object(type, ENCODING.body(type, object));
    }

    private static JsonObject parse(String json) {
        return JsonParser.parseString(json).getAsJsonObject();
    }

    private static FakeAnswer answer(int code, String contentType, byte[] body) {
        return new FakeAnswer(code, contentType, Optional.empty(), new ByteArrayInputStream(body));
    }
}
