package io.evenkeel.kube.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiStatus;
import io.evenkeel.kube.watch.Decoder.ListPage;
import io.evenkeel.kube.watch.Decoder.ProtobufPage.StreamPiece;
import io.evenkeel.kube.watch.Decoder.WatchFrames;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.Heartbeats;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.read.ObjectReader.PodHeader;
import io.evenkeel.model.read.ProtobufObject;
import io.evenkeel.model.read.ProtobufReader;
import io.evenkeel.model.read.ProtobufReader.Bookmark;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads answers about one kind of object in whichever encoding the server chose. For one thread. */
public final class Decoder {
    private final String kind;
    private final ObjectReader json;
    private final ProtobufReader protobuf;
    private final Optional<Heartbeats> heartbeats;

    public Decoder(Kind<?> kind, ObjectReader json) {
        this.kind = kind.objectKind();
        this.json = json.only(kind);
        this.protobuf = json.protobuf(kind);
        this.heartbeats = kind.name().equals(Kinds.NODE.name())
                ? Optional.of(new Heartbeats(new SecureRandom()))
                : Optional.empty();
    }

    /** Forgets all objects: they come anew. */
    void begin() {
        heartbeats.ifPresent(Heartbeats::clear);
    }

    public WatchFrames frames(ApiAnswer answer) {
        return answer.isProtobuf()
                ? new ProtobufFrames(answer.body(), kind, protobuf, heartbeats)
                : new JsonFrames(answer.body(), kind, json, heartbeats);
    }

    /** Forgets the object of an event, which comes or goes. */
    private static WatchEvent forgetting(Optional<Heartbeats> heartbeats, WatchEvent event) {
        if (heartbeats.isPresent()) {
            switch (event) {
                case WatchEvent.Put(KubernetesObject object) ->
                    heartbeats.get().forget(object.meta().name());
                case WatchEvent.Removed(KubernetesObject object) ->
                    heartbeats.get().forget(object.meta().name());
                default -> {}
            }
        }
        return event;
    }

    /**
     * Hands out a page's objects one by one, without ever holding two.
     *
     * @throws IOException if the page breaks off, or is malformed beside its items
     */
    public ListPage page(ApiAnswer answer, Consumer<WatchEvent> items) throws IOException {
        ListPage page;
        try {
            page = answer.isProtobuf()
                    ? new ProtobufPage(kind, protobuf, items).read(answer.body())
                    : new JsonPage(kind, json, items).read(answer.body());
        } catch (JsonProcessingException malformed) {
            throw malformed(JsonCursor.brief(malformed), malformed);
        } catch (ObjectReadException malformed) {
            throw malformed(String.valueOf(malformed.getMessage()), malformed);
        }
        if (page.resourceVersion().isEmpty()) {
            throw new IOException("a list without a resourceVersion");
        }
        return page;
    }

    /** Beside its items, which are skipped one by one where they cannot be read. */
    private IOException malformed(String why, Exception cause) {
        return new IOException("malformed list of " + kind + ": " + why, cause);
    }

    /**
     * The facts of a list's page beside its objects.
     *
     * @param resourceVersion of the whole list
     * @param continueToken asks for the next page; empty on the last
     */
    public record ListPage(String resourceVersion, String continueToken) {}

    /** The events of a watch's answer, as they come in. */
    public interface WatchFrames {

        /**
         * Waits for the next event; empty at the stream's proper end.
         *
         * @throws IOException if the stream broke off
         */
        Optional<WatchEvent> next() throws IOException;
    }

    /** One page of a list as JSON: {@code {"metadata":{…},"items":[…]}}. */
    static final class JsonPage {
        /** To where it is worth finding an item's end: each level takes memory. */
        private static final int DEEPEST = 100_000;

        private final String kind;
        private final ObjectReader reader;
        private final Consumer<WatchEvent> items;
        private String version = "";
        private String token = "";

        JsonPage(String kind, ObjectReader reader, Consumer<WatchEvent> items) {
            this.kind = kind;
            this.reader = reader;
            this.items = items;
        }

        ListPage read(InputStream body) throws IOException {
            try (JsonParser parser = JsonCursor.PARSERS.createParser(body)) {
                if (parser.nextToken() != JsonToken.START_OBJECT) {
                    throw new IOException("expected a list, got no object");
                }
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String field = parser.currentName();
                    JsonToken value = parser.nextToken();
                    if (field.equals("metadata") && value == JsonToken.START_OBJECT) {
                        readMetadata(parser);
                    } else if (field.equals("items") && value == JsonToken.START_ARRAY) {
                        readItems(parser);
                    } else {
                        parser.skipChildren();
                    }
                }
                if (parser.currentToken() != JsonToken.END_OBJECT) {
                    throw new IOException("the list broke off");
                }
            }
            return new ListPage(version, token);
        }

        private void readMetadata(JsonParser parser) throws IOException {
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                switch (name) {
                    case "resourceVersion" -> version = text(parser);
                    case "continue" -> token = text(parser);
                    default -> parser.skipChildren();
                }
            }
        }

        /** Refuses other than text: it would be read past its end, and the list be taken for one that has no items. */
        private static String text(JsonParser parser) throws IOException {
            return switch (parser.currentToken()) {
                case VALUE_STRING -> parser.getText();
                case VALUE_NULL -> "";
                case null, default ->
                    throw new ObjectReadException("metadata." + parser.currentName() + ": expected a string, got "
                            + JsonCursor.describe(parser));
            };
        }

        private void readItems(JsonParser parser) throws IOException {
            JsonStreamContext list = parser.getParsingContext();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                if (parser.currentToken() == null) {
                    throw new IOException("the list broke off");
                }
                WatchEvent item = WatchEvent.put(() -> reader.read(parser, kind));
                if (item instanceof WatchEvent.Illegible) {
                    finishItem(parser, list);
                }
                items.accept(item);
            }
        }

        /** Goes on to the end of the item that was left half read; one nested too deep leaves its like behind at each step. */
        @SuppressWarnings("ReferenceEquality") // a context is a place, not a value
        private static void finishItem(JsonParser parser, JsonStreamContext list) throws IOException {
            while (parser.getParsingContext() != list) {
                try {
                    if (parser.nextToken() == null) {
                        throw new IOException("the list broke off");
                    }
                } catch (StreamConstraintsException tooDeep) {
                    int depth = parser.getParsingContext().getNestingDepth();
                    if (depth <= parser.streamReadConstraints().getMaxNestingDepth() || depth > DEEPEST) {
                        throw tooDeep;
                    }
                }
            }
        }
    }

    /** A watch's events as JSON: {@code {"type":"ADDED","object":{…}}}, one after the other. */
    static final class JsonFrames implements WatchFrames {
        private final JsonFraming framing;
        private final String kind;
        private final ObjectReader reader;
        private final Optional<Heartbeats> heartbeats;

        JsonFrames(InputStream stream, String kind, ObjectReader reader, Optional<Heartbeats> heartbeats) {
            this.framing = new JsonFraming(stream);
            this.kind = kind;
            this.reader = reader;
            this.heartbeats = heartbeats;
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
                case "ADDED" -> forgetting(heartbeats, put());
                case "MODIFIED" -> modified();
                case "DELETED" -> forgetting(heartbeats, new WatchEvent.Removed(removed()));
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

        private WatchEvent modified() throws IOException {
            if (heartbeats.isPresent()) {
                try (JsonParser parser = at("object")) {
                    if (heartbeats.get().recognise(parser)) {
                        return new WatchEvent.Heartbeat(heartbeats.get().version());
                    }
                }
            }
            return put();
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

    /** A watch's events as protobuf: four bytes of length, then {@code WatchEvent{1: type, 2: {1: object}}}. */
    static final class ProtobufFrames implements WatchFrames {
        private static final int LENGTH_BYTES = 4;

        private final InputStream stream;
        private final String kind;
        private final ProtobufReader reader;
        private final Optional<Heartbeats> heartbeats;
        private final byte[] length = new byte[LENGTH_BYTES];
        private final StreamPiece frame = new StreamPiece();

        ProtobufFrames(InputStream stream, String kind, ProtobufReader reader, Optional<Heartbeats> heartbeats) {
            this.stream = stream;
            this.kind = kind;
            this.reader = reader;
            this.heartbeats = heartbeats;
        }

        @Override
        public Optional<WatchEvent> next() throws IOException {
            int read = stream.readNBytes(length, 0, LENGTH_BYTES);
            if (read == 0) {
                return Optional.empty();
            }
            if (read < LENGTH_BYTES) {
                throw new EOFException("the stream broke off within an event's length");
            }
            frame.read(
                    stream,
                    (length[0] & 0xffL) << 24
                            | (length[1] & 0xff) << 16
                            | (length[2] & 0xff) << 8
                            | (length[3] & 0xff));
            try {
                return Optional.of(event(frame.message()));
            } catch (RuntimeException unreadable) {
                return Optional.of(new WatchEvent.Unreadable(String.valueOf(unreadable.getMessage())));
            }
        }

        private WatchEvent event(ProtobufCursor in) {
            String type = "";
            Optional<ProtobufCursor> extension = Optional.empty();
            while (in.next()) {
                switch (in.field()) {
                    case 1 -> type = in.string();
                    case 2 -> extension = Optional.of(in.message());
                    default -> {}
                }
            }
            if (extension.isEmpty()) {
                return new WatchEvent.Unreadable("event of type " + Excerpt.quoted(type) + " without an object");
            }
            ProtobufCursor object = extension.get();
            return switch (type) {
                case "ADDED" -> forgetting(heartbeats, put(object, false));
                case "MODIFIED" -> put(object, heartbeats.isPresent());
                case "DELETED" ->
                    forgetting(heartbeats, new WatchEvent.Removed(reader.readIdentity(ofKind(object(object)))));
                case "BOOKMARK" -> bookmark(reader.readBookmark(object(object)));
                case "ERROR" -> new WatchEvent.Failed(ApiStatus.of(object(object)));
                default -> new WatchEvent.Unreadable("event of unknown type " + Excerpt.quoted(type));
            };
        }

        private WatchEvent put(ProtobufCursor extension, boolean mayBeHeartbeat) {
            try {
                ProtobufObject object = object(extension);
                if (mayBeHeartbeat && heartbeats.get().recognise(object)) {
                    return new WatchEvent.Heartbeat(heartbeats.get().version());
                }
                return WatchEvent.put(() -> reader.read(ofKind(object)), () -> reader.readHeader(object));
            } catch (ObjectReadException noEnvelope) {
                return WatchEvent.Illegible.of(noEnvelope, Optional.empty());
            }
        }

        private ProtobufObject ofKind(ProtobufObject object) {
            object.expectKind(kind);
            return object;
        }

        private static ProtobufObject object(ProtobufCursor extension) {
            Optional<ProtobufObject> object = Optional.empty();
            while (extension.next()) {
                if (extension.field() == 1) {
                    object = Optional.of(ProtobufObject.in(extension));
                }
            }
            return object.orElseGet(ProtobufObject::none);
        }

        private static WatchEvent bookmark(Bookmark header) {
            if (header.resourceVersion().isEmpty()) {
                return new WatchEvent.Unreadable("bookmark without a resourceVersion");
            }
            String end = header.annotations().getOrDefault(WatchEvent.INITIAL_EVENTS_END, "");
            return new WatchEvent.Bookmark(header.resourceVersion(), end.equals("true"));
        }
    }

    /**
     * One page of a list as protobuf: {@code k8s\0}, then {@code Unknown{1: {1: apiVersion}, 2: {1: metadata, 2: item, 2:
     * item …}}}. The items do not say what they are.
     */
    static final class ProtobufPage {
        private static final byte[] MAGIC = {'k', '8', 's', 0};

        private final String kind;
        private final ProtobufReader reader;
        private final Consumer<WatchEvent> items;
        private final StreamPiece piece = new StreamPiece();
        private String apiVersion = "";
        private String version = "";
        private String token = "";

        ProtobufPage(String kind, ProtobufReader reader, Consumer<WatchEvent> items) {
            this.kind = kind;
            this.reader = reader;
            this.items = items;
        }

        ListPage read(InputStream body) throws IOException {
            for (byte expected : MAGIC) {
                if (body.read() != expected) {
                    throw new IOException("expected a list, got something that does not begin with k8s and 0");
                }
            }
            ProtobufStream in = new ProtobufStream(body);
            while (in.next(Long.MAX_VALUE)) {
                switch (in.field()) {
                    case 1 -> apiVersion = text(in.message(piece), 1, apiVersion);
                    case 2 -> readList(in, in.enter());
                    default -> in.skip();
                }
            }
            return new ListPage(version, token);
        }

        private void readList(ProtobufStream in, long end) throws IOException {
            while (in.next(end)) {
                switch (in.field()) {
                    case 1 -> {
                        version = text(in.message(piece), 2, version);
                        token = text(piece.message(), 3, token);
                    }
                    case 2 -> {
                        in.message(piece);
                        ProtobufObject item = ProtobufObject.item(apiVersion, kind, piece.bytes(), 0, piece.length());
                        items.accept(WatchEvent.put(() -> reader.read(item), () -> reader.readHeader(item)));
                    }
                    default -> in.skip();
                }
            }
        }

        private static String text(ProtobufCursor in, int field, String otherwise) {
            String text = otherwise;
            while (in.next()) {
                if (in.field() == field) {
                    text = in.string();
                }
            }
            return text;
        }

        /**
         * Walks over the fields of a protobuf message as it comes in, for messages too long to be held whole. After each step
         * the value is read, entered or skipped, each once.
         */
        static final class ProtobufStream {
            private static final int VARINT = 0;
            private static final int FIXED_64 = 1;
            private static final int LENGTH_DELIMITED = 2;
            private static final int FIXED_32 = 5;

            private final InputStream in;
            private long position;
            private int field;
            private int wireType;

            ProtobufStream(InputStream in) {
                this.in = in;
            }

            /** Steps to the next field of the message that ends at the position, or with the stream; false at its end. */
            boolean next(long end) throws IOException {
                if (position == end) {
                    return false;
                }
                int first = in.read();
                if (first < 0) {
                    if (end == Long.MAX_VALUE) {
                        return false;
                    }
                    throw brokenOff();
                }
                position++;
                long tag = varint(first);
                field = (int) (tag >>> 3);
                wireType = (int) tag & 7;
                if (position > end || tag >>> 32 != 0 || field == 0) {
                    throw new IOException("protobuf: no field at byte " + position);
                }
                return true;
            }

            int field() {
                return field;
            }

            /** The value as a message of its own, in the piece. */
            ProtobufCursor message(StreamPiece piece) throws IOException {
                long length = length();
                piece.read(in, length);
                position += length;
                return piece.message();
            }

            /** Goes into the value; answers the position at which it ends. */
            long enter() throws IOException {
                long length = length();
                return position + length;
            }

            void skip() throws IOException {
                switch (wireType) {
                    case VARINT -> varint();
                    case FIXED_64 -> skip(8);
                    case LENGTH_DELIMITED -> skip(length());
                    case FIXED_32 -> skip(4);
                    default -> throw new IOException("protobuf: no wire type " + wireType + " at byte " + position);
                }
            }

            private void skip(long length) throws IOException {
                in.skipNBytes(length);
                position += length;
            }

            private long length() throws IOException {
                if (wireType != LENGTH_DELIMITED) {
                    throw new IOException(
                            "protobuf: field " + field + " is of wire type " + wireType + " at byte " + position);
                }
                long length = varint();
                if (length < 0 || length > Integer.MAX_VALUE) {
                    throw new IOException("protobuf: a value of " + Long.toUnsignedString(length) + " bytes");
                }
                return length;
            }

            private long varint() throws IOException {
                return varint(readByte());
            }

            private long varint(int first) throws IOException {
                long value = first & 0x7f;
                int b = first;
                for (int shift = 7; b > 0x7f; shift += 7) {
                    if (shift > 63) {
                        throw new IOException("protobuf: a number of more than 64 bits at byte " + position);
                    }
                    b = readByte();
                    value |= (long) (b & 0x7f) << shift;
                }
                return value;
            }

            private int readByte() throws IOException {
                int b = in.read();
                if (b < 0) {
                    throw brokenOff();
                }
                position++;
                return b;
            }

            private static EOFException brokenOff() {
                return new EOFException("the list broke off");
            }
        }

        /** A piece of a stream, with its length before it. The next one overwrites it. */
        static final class StreamPiece {
            private static final int MOST_BYTES = 1 << 26;

            private byte[] bytes = new byte[1 << 14];
            private int length;

            /**
             * Reads the piece. The buffer grows with what comes, not with what a length announces.
             *
             * @throws IOException if the stream breaks off, or if the length cannot be true: where the next piece begins is not
             *     known then
             */
            void read(InputStream stream, long announced) throws IOException {
                if (announced < 0 || announced > MOST_BYTES) {
                    throw new IOException("frame of " + Long.toUnsignedString(announced)
                            + " bytes exceeds the limit of " + MOST_BYTES);
                }
                length = 0;
                while (length < announced) {
                    if (length == bytes.length) {
                        bytes = Arrays.copyOf(bytes, 2 * length);
                    }
                    int read = stream.readNBytes(bytes, length, (int) Math.min(announced, bytes.length) - length);
                    if (read == 0) {
                        throw new EOFException("the stream broke off within an object");
                    }
                    length += read;
                }
            }

            byte[] bytes() {
                return bytes;
            }

            int length() {
                return length;
            }

            ProtobufCursor message() {
                return new ProtobufCursor(bytes, 0, length);
            }
        }
    }
}
