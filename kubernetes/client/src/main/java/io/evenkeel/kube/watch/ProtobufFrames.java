package io.evenkeel.kube.watch;

import io.evenkeel.kube.api.ApiStatus;
import io.evenkeel.kube.watch.Decoder.WatchFrames;
import io.evenkeel.kube.watch.ProtobufPage.StreamPiece;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import io.evenkeel.model.read.ProtobufObject;
import io.evenkeel.model.read.ProtobufReader;
import io.evenkeel.model.read.ProtobufReader.Bookmark;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** A watch's events as protobuf: four bytes of length, then {@code WatchEvent{1: type, 2: {1: object}}}. */
final class ProtobufFrames implements WatchFrames {
    private static final int LENGTH_BYTES = 4;

    private final InputStream stream;
    private final String kind;
    private final ProtobufReader reader;
    private final byte[] length = new byte[LENGTH_BYTES];
    private final StreamPiece frame = new StreamPiece();

    ProtobufFrames(InputStream stream, String kind, ProtobufReader reader) {
        this.stream = stream;
        this.kind = kind;
        this.reader = reader;
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
                (length[0] & 0xffL) << 24 | (length[1] & 0xff) << 16 | (length[2] & 0xff) << 8 | (length[3] & 0xff));
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
            case "ADDED", "MODIFIED" -> put(object);
            case "DELETED" -> new WatchEvent.Removed(reader.readIdentity(ofKind(object(object))));
            case "BOOKMARK" -> bookmark(reader.readBookmark(object(object)));
            case "ERROR" -> new WatchEvent.Failed(ApiStatus.of(object(object)));
            default -> new WatchEvent.Unreadable("event of unknown type " + Excerpt.quoted(type));
        };
    }

    private WatchEvent put(ProtobufCursor extension) {
        try {
            ProtobufObject object = object(extension);
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
