package io.evenkeel.hollow.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import io.evenkeel.hollow.encoding.MalformedMessageException;
import io.evenkeel.hollow.encoding.ProtobufBody;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.model.json.Trees;
import java.util.List;
import java.util.Locale;

/** A client's data, in a form that it names. */
public final class Body {
    private static final String JSON = "application/json";

    private final String contentType;
    private final byte[] bytes;

    public Body(String contentType, byte[] bytes) {
        this.contentType = contentType;
        this.bytes = bytes;
    }

    public String contentType() {
        return contentType;
    }

    public String text() {
        return new String(bytes, UTF_8);
    }

    boolean isEmpty() {
        return text().isBlank();
    }

    /** The object, whatever it was written in. */
    JsonObject object() {
        String mediaType = contentType.split(";", -1)[0].strip().toLowerCase(Locale.ROOT);
        return switch (mediaType) {
            case "", "*/*", JSON -> fromJson();
            case ProtobufBody.MEDIA_TYPE -> fromProtobuf();
            default -> throw Refusals.unsupportedMediaType(List.of(JSON, ProtobufBody.MEDIA_TYPE));
        };
    }

    private JsonObject fromJson() {
        try {
            return Trees.parse(text());
        } catch (JsonParseException | IllegalStateException e) {
            throw Refusals.badRequest("couldn't parse the request's body: " + e.getMessage());
        }
    }

    private JsonObject fromProtobuf() {
        try {
            return ProtobufBody.read(bytes);
        } catch (MalformedMessageException e) {
            throw Refusals.badRequest("the object provided is unrecognized: " + e.getMessage());
        }
    }
}
