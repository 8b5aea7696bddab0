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
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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

    /**
     * Cuts a stream into its JSON objects by counting braces, so that an object that makes no sense costs only itself. What
     * stands between objects and is no white space makes a frame of its own, up to the line's end. For example:
     *
     * <pre>
     * the stream    {"object":{"a":"}"}}   oops    {"object":
     * depth         1         2   2   210    -       1
     * frames        |------- 1 --------|   |- 2 -|  broken off: EOFException
     * </pre>
     *
     * A brace within a string counts for nothing, so it must be known where strings begin and end; a quote after a backslash
     * ends none. O(bytes); the two buffers are kept for the next frame.
     */
    static final class JsonFraming {
        private static final int MOST_BYTES = 1 << 26;

        private final InputStream stream;
        private final byte[] input = new byte[1 << 14];
        private int next;
        private int end;
        private byte[] frame = new byte[1 << 14];
        private int length;

        JsonFraming(InputStream stream) {
            this.stream = stream;
        }

        /** Reads one frame; false at the stream's end. */
        boolean advance() throws IOException {
            length = 0;
            int first = firstOfFrame();
            if (first < 0) {
                return false;
            }
            if (first == '{') {
                readObject();
            } else {
                readLine(first);
            }
            return true;
        }

        /** The frame's bytes, which the next step overwrites; only {@link #length} of them count. */
        byte[] bytes() {
            return frame;
        }

        int length() {
            return length;
        }

        private int firstOfFrame() throws IOException {
            int b = read();
            while (b == ' ' || b == '\n' || b == '\r' || b == '\t') {
                b = read();
            }
            return b;
        }

        private void readObject() throws IOException {
            append('{');
            int depth = 1;
            boolean quoted = false;
            while (depth > 0) {
                int b = read();
                if (b < 0) {
                    throw new EOFException("the stream broke off within an event");
                }
                append(b);
                if (quoted) {
                    if (b == '\\') {
                        append(read());
                    } else if (b == '"') {
                        quoted = false;
                    }
                } else if (b == '"') {
                    quoted = true;
                } else if (b == '{') {
                    depth++;
                } else if (b == '}') {
                    depth--;
                }
            }
        }

        private void readLine(int first) throws IOException {
            for (int b = first; b >= 0 && b != '\n'; b = read()) {
                append(b);
            }
        }

        private void append(int b) throws IOException {
            if (length == frame.length) {
                if (length >= MOST_BYTES) {
                    throw new IOException("an event of more than " + MOST_BYTES + " bytes");
                }
                frame = Arrays.copyOf(frame, 2 * length);
            }
            frame[length++] = (byte) b;
        }

        private int read() throws IOException {
            if (next == end) {
                end = stream.read(input);
                next = 0;
                if (end <= 0) {
                    end = 0;
                    return -1;
                }
            }
            return input[next++] & 0xff;
        }
    }
}
