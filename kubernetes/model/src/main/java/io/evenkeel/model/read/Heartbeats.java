package io.evenkeel.model.read;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.evenkeel.model.decode.cursor.FieldProblem;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.decode.cursor.Projection;
import io.evenkeel.model.decode.cursor.Projection.Checksum;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Recognises by its bytes a node that has only been heard of again: since the last time nothing of it has changed but what a
 * kubelet changes to say that it lives. Nothing is decoded for that, except for the name and the version.
 *
 * <p>Of each node that has changed it keeps its name and the {@link Checksum} of the bytes that are left where these times and the
 * version are left out. For example:
 *
 * <pre>
 * MODIFIED n1   version 7   Ready since 9:00, heard at 9:05   labels a      unknown, so it is to be read
 * MODIFIED n1   version 8   Ready since 9:00, heard at 9:10   labels a      a heartbeat
 * MODIFIED n1   version 9   Ready since 9:00, heard at 9:15   labels a, b   to be read
 * </pre>
 *
 * O(bytes of the node); some 100 bytes are kept of each. For one thread.
 */
public final class Heartbeats {
    private static final Part NAME = new Part("name", 1, false, List.of());
    private static final Part VERSION = hole("resourceVersion", 6);

    /** The parts of a node on the way to what heartbeats change. */
    private static final Part NODE = of(
            "",
            0,
            of("metadata", 1, NAME, VERSION, of("managedFields", 17, hole("time", 4))),
            of("status", 3, of("conditions", 4, hole("lastHeartbeatTime", 3))));

    private static final byte[] END = {(byte) 0xff};

    private final Map<String, Long> known = new HashMap<>();
    private final Projection rest = new Projection();
    private final Checksum checksum;
    private String name = "";
    private String version = "";

    /** @param random draws what the checksum rests on */
    public Heartbeats(RandomGenerator random) {
        checksum = new Checksum(random);
    }

    /**
     * A field on the way.
     *
     * @param isHole whether its value is left out
     */
    private record Part(String name, int number, boolean isHole, List<Part> parts) {
        @Nullable
        Part numbered(int field) {
            for (Part part : parts) {
                if (part.number == field) {
                    return part;
                }
            }
            return null;
        }

        @Nullable
        Part named(String field) {
            for (Part part : parts) {
                if (part.name.equals(field)) {
                    return part;
                }
            }
            return null;
        }
    }

    private static Part of(String name, int number, Part... parts) {
        return new Part(name, number, false, List.of(parts));
    }

    private static Part hole(String name, int number) {
        return new Part(name, number, true, List.of());
    }

    /** Whether the node that has been modified was only heard of; if not, it is known from now on as it is, and to be read. */
    public boolean recognise(ProtobufObject modified) {
        begin();
        try {
            project(modified.fields(), NODE);
        } catch (FieldProblem | ObjectReadException malformed) {
            name = ""; // who reads it tells what is wrong
        }
        return isKnown();
    }

    /** As {@link #recognise(ProtobufObject)}, of JSON; the parser stands on the node. */
    public boolean recognise(JsonParser modified) {
        begin();
        try {
            project(modified, NODE);
        } catch (IOException malformed) {
            name = ""; // who reads it tells what is wrong
        }
        return isKnown();
    }

    /** The version of the node that was recognised last. */
    public String version() {
        return version;
    }

    /** The node is not, or not any more, what was known of it. */
    public void forget(String node) {
        known.remove(node);
    }

    public void clear() {
        known.clear();
    }

    private void begin() {
        rest.clear();
        name = "";
        version = "";
    }

    private boolean isKnown() {
        if (name.isEmpty()) {
            return false;
        }
        Long now = rest.checked(checksum);
        return now.equals(known.put(name, now)) && !version.isEmpty();
    }

    private void project(ProtobufCursor in, Part message) {
        while (in.next()) {
            Part part = message.numbered(in.field());
            if (part == null || part == NAME) {
                in.copyTo(rest);
            } else if (!part.isHole()) {
                int begun = rest.begin(in.field());
                project(in.message(), part);
                rest.end(begun);
            }
            if (part == NAME) {
                name = in.string();
            } else if (part == VERSION) {
                version = in.string();
            }
        }
    }

    /** The value that the parser stands on, token by token; each ends with a byte that is in no UTF-8. */
    private void project(JsonParser in, @Nullable Part part) throws IOException {
        JsonToken token = in.currentToken();
        if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
            add(token, "");
            while (in.nextToken() != null && !in.currentToken().isStructEnd()) {
                Part inner = part;
                if (in.currentToken() == JsonToken.FIELD_NAME) {
                    add(JsonToken.FIELD_NAME, in.currentName());
                    inner = part == null ? null : part.named(in.currentName());
                    in.nextToken();
                }
                project(in, inner);
            }
            add(JsonToken.END_OBJECT, "");
        } else if (token != null) {
            String text = in.getText();
            boolean isText = token == JsonToken.VALUE_STRING;
            if (isText && part == NAME) {
                name = text;
            } else if (isText && part == VERSION) {
                version = text;
            }
            add(token, isText && part != null && part.isHole() ? "" : text);
        }
    }

    private void add(JsonToken token, String text) {
        byte[] kind = {(byte) token.id()};
        byte[] value = text.getBytes(StandardCharsets.UTF_8);
        rest.add(kind, 0, kind.length);
        rest.add(value, 0, value.length);
        rest.add(END, 0, END.length);
    }
}
