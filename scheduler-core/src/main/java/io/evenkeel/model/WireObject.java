package io.evenkeel.model;

/**
 * An object as the API server writes it in protobuf: a magic number, its kind, its fields. Nothing of the fields is read
 * before somebody asks.
 */
public final class WireObject {
    private static final byte[] MAGIC = {'k', '8', 's', 0};

    private final String apiVersion;
    private final String kind;
    private final byte[] bytes;
    private final int from;
    private final int to;

    private WireObject(String apiVersion, String kind, byte[] bytes, int from, int to) {
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
    public static WireObject of(byte[] bytes, int from, int to) {
        if (to - from < MAGIC.length || !startsWithMagic(bytes, from)) {
            throw new ObjectReadException("protobuf: no object, it does not begin with k8s and 0");
        }
        String apiVersion = "";
        String kind = "";
        int start = to;
        int end = to;
        WireCursor in = new WireCursor(bytes, from + MAGIC.length, to);
        while (in.next()) {
            switch (in.field()) {
                case 1 -> {
                    WireCursor type = in.message();
                    while (type.next()) {
                        switch (type.field()) {
                            case 1 -> apiVersion = type.string();
                            case 2 -> kind = type.string();
                            default -> {}
                        }
                    }
                }
                case 2 -> {
                    start = in.valueStart();
                    end = in.valueEnd();
                }
                default -> {}
            }
        }
        return new WireObject(apiVersion, kind, bytes, start, end);
    }

    /** An item of a list, which comes without an envelope. */
    public static WireObject item(String apiVersion, String kind, byte[] bytes, int from, int to) {
        return new WireObject(apiVersion, kind, bytes, from, to);
    }

    /** What stands where an object should, and does not. */
    public static WireObject none() {
        return new WireObject("", "", new byte[0], 0, 0);
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
            throw new ObjectReadException("protobuf: expected " + expected + ", got \"" + kind + "\"");
        }
    }

    /** Stands before the object's first field. */
    public WireCursor fields() {
        return new WireCursor(bytes, from, to);
    }
}
