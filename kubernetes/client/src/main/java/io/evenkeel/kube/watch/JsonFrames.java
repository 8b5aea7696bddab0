package io.evenkeel.kube.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.kube.api.ApiStatus;
import io.evenkeel.kube.watch.Decoder.WatchFrames;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.read.ObjectReader.PodHeader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A watch's events as JSON: {@code {"type":"ADDED","object":{…}}}, one after the other. */
final class JsonFrames implements WatchFrames {
    private final JsonFraming framing;
    private final String kind;
    private final ObjectReader reader;

    JsonFrames(InputStream stream, String kind, ObjectReader reader) {
        this.framing = new JsonFraming(stream);
        this.kind = kind;
        this.reader = reader;
    }

    @Override
    public Optional<WatchEvent> next() throws IOException {
        if (!framing.advance()) {
            return Optional.empty();
        }
        try {
            return Optional.of(event());
        } catch (JsonProcessingException malformed) {
            return Optional.of(new WatchEvent.Unreadable("JSON: " + JsonCursor.brief(malformed)));
        } catch (RuntimeException unreadable) {
            return Optional.of(new WatchEvent.Unreadable(String.valueOf(unreadable.getMessage())));
        }
    }

    private WatchEvent event() throws IOException {
        String type = type();
        return switch (type) {
            case "ADDED", "MODIFIED" -> put();
            case "DELETED" -> new WatchEvent.Removed(removed());
            case "BOOKMARK" -> bookmark(tree());
            case "ERROR" -> failed();
            default -> new WatchEvent.Unreadable("event of unknown type " + Excerpt.quoted(type));
        };
    }

    /** The type usually stands first, so that little is read for it. */
    private String type() throws IOException {
        try (JsonParser parser = at("type")) {
            return parser.currentToken() == JsonToken.VALUE_STRING ? parser.getText() : "";
        }
    }

    private WatchEvent put() throws IOException {
        try (JsonParser parser = at("object")) {
            return WatchEvent.put(() -> reader.read(parser, kind), this::header);
        }
    }

    /** The frame is still there to be read again. A list's item is not: one in JSON cannot tell its pod. */
    private Optional<PodHeader> header() {
        if (!kind.equals(Kinds.POD.name())) {
            return Optional.empty();
        }
        try (JsonParser parser = at("object")) {
            return reader.readHeader(parser);
        } catch (IOException beyondMeasure) {
            return Optional.empty();
        }
    }

    private WatchEvent failed() throws IOException {
        try (JsonParser parser = at("object")) {
            return new WatchEvent.Failed(ApiStatus.of(parser));
        }
    }

    private KubernetesObject removed() throws IOException {
        try (JsonParser parser = at("object")) {
            return reader.readIdentity(parser, kind);
        }
    }

    /** A parser that stands on the value of the event's field, or at the end where there is no such field. */
    private JsonParser at(String field) throws IOException {
        JsonParser parser = JsonCursor.PARSERS.createParser(framing.bytes(), 0, framing.length());
        parser.nextToken();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean found = field.equals(parser.currentName());
            parser.nextToken();
            if (found) {
                return parser;
            }
            parser.skipChildren();
        }
        return parser;
    }

    /** For the few and small. */
    private JsonObject tree() {
        String text = new String(framing.bytes(), 0, framing.length(), StandardCharsets.UTF_8);
        return member(com.google.gson.JsonParser.parseString(text).getAsJsonObject(), "object");
    }

    private static JsonObject member(JsonObject from, String field) {
        JsonElement value = from.get(field);
        return value != null && value.isJsonObject() ? value.getAsJsonObject() : new JsonObject();
    }

    private static WatchEvent bookmark(JsonObject object) {
        JsonObject metadata = member(object, "metadata");
        JsonElement version = metadata.get("resourceVersion");
        if (version == null || !version.isJsonPrimitive()) {
            return new WatchEvent.Unreadable("bookmark without a resourceVersion");
        }
        JsonElement end = member(metadata, "annotations").get(WatchEvent.INITIAL_EVENTS_END);
        return new WatchEvent.Bookmark(
                version.getAsString(),
                end != null && end.isJsonPrimitive() && end.getAsString().equals("true"));
    }
}
