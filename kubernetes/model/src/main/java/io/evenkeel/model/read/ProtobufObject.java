package io.evenkeel.model.read;

import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.decode.cursor.ProtobufCursor;

/**
 * An object as the API server writes it in protobuf: a magic number, its kind, its fields. The fields are read only
 * when asked for.
 */
public final class ProtobufObject {
    private static final byte[] MAGIC = {'k', '8', 's', 0};

    private final String apiVersion;
    private final String kind;
    private final byte[] bytes;
    private final int from;
    private final int to;

    private ProtobufObject(String apiVersion, String kind, byte[] bytes, int from, int to) {
        this.apiVersion = apiVersion;
        this.kind = kind;
        this.bytes = bytes;
        this.from = from;
        this.to = to;
    }

    /**
     * Opens the envelope.
     *
     * @throws ObjectReadException if it is none
     */
    public static ProtobufObject of(byte[] bytes, int from, int to) {
        if (to - from < MAGIC.length || !startsWithMagic(bytes, from)) {
            throw new ObjectReadException("not a Kubernetes protobuf object: the magic prefix k8s\\0 is missing");
        }
        ProtobufObject object = none();
        String apiVersion = "";
        String kind = "";
        ProtobufCursor in = new ProtobufCursor(bytes, from + MAGIC.length, to);
        while (in.next()) {
            switch (in.field()) {
                case 1 -> {
                    ProtobufCursor type = in.message();
                    while (type.next()) {
                        switch (type.field()) {
                            case 1 -> apiVersion = type.string();
                            case 2 -> kind = type.string();
                            default -> {}
                        }
                    }
                }
                case 2 -> object = in.range((all, start, end) -> item("", "", all, start, end));
                default -> {}
            }
        }
        return item(apiVersion, kind, object.bytes, object.from, object.to);
    }

    /** Opens the envelope that the cursor's value is. */
    public static ProtobufObject in(ProtobufCursor field) {
        return field.range(ProtobufObject::of);
    }

    /** An item of a list, which comes without an envelope. */
    public static ProtobufObject item(String apiVersion, String kind, byte[] bytes, int from, int to) {
        return new ProtobufObject(apiVersion, kind, bytes, from, to);
    }

    /** Stands where an object should, and does not. */
    public static ProtobufObject none() {
        return new ProtobufObject("", "", new byte[0], 0, 0);
    }

    private static boolean startsWithMagic(byte[] bytes, int from) {
        for (int i = 0; i < MAGIC.length; i++) {
            if (bytes[from + i] != MAGIC[i]) {
                return false;
            }
        }
        return true;
    }

    public String apiVersion() {
        return apiVersion;
    }

    public String kind() {
        return kind;
    }

    /** For whom only one kind will do. */
    public void expectKind(String expected) {
        if (!kind.equals(expected)) {
            throw new ObjectReadException("protobuf: expected " + expected + ", got " + Excerpt.quoted(kind));
        }
    }

    /** Stands before the object's first field. */
    public ProtobufCursor fields() {
        return new ProtobufCursor(bytes, from, to);
    }
}
