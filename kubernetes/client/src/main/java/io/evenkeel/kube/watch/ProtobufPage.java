package io.evenkeel.kube.watch;

import io.evenkeel.kube.watch.Decoder.ListPage;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import io.evenkeel.model.read.ProtobufObject;
import io.evenkeel.model.read.ProtobufReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

/**
 * One page of a list as protobuf: {@code k8s\0}, then {@code Unknown{1: {1: apiVersion}, 2: {1: metadata, 2: item, 2:
 * item …}}}. The items do not say what they are.
 */
final class ProtobufPage {
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
}
