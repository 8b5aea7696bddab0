package io.evenkeel.app.hollow.protobuf;

import com.google.gson.JsonObject;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * What typed clients send of kinds that they would rather write as protobuf: Helm keeps its releases in Secrets, kubectl
 * makes namespaces. All other kinds are for JSON: a message does not tell a number that was left out from a zero.
 */
public final class ProtobufBody {
    private static final byte[] MAGIC = ProtobufEncoding.MAGIC;
    private static final Set<String> KINDS = Set.of("Secret", "Namespace", "DeleteOptions");
    private static final MessageReader READER = new MessageReader();

    private ProtobufBody() {}

    /** The object with its type; nothing where the body is in another form, or of a kind that is not read. */
    public static Optional<JsonObject> read(String contentType, byte[] body) {
        if (!contentType.startsWith(ProtobufEncoding.MEDIA_TYPE)
                || body.length < MAGIC.length
                || !Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            return Optional.empty();
        }
        try {
            return read(new WireInput(Arrays.copyOfRange(body, MAGIC.length, body.length)));
        } catch (MalformedMessageException e) {
            return Optional.empty();
        }
    }

    private static Optional<JsonObject> read(WireInput envelope) {
        byte[] type = {};
        byte[] fields = {};
        for (int number = envelope.next(); number != 0; number = envelope.next()) {
            switch (number) {
                case 1 -> type = envelope.bytes();
                case 2 -> fields = envelope.bytes();
                default -> envelope.skip();
            }
        }
        JsonObject tree = READER.read("TypeMeta", type);
        String kind = tree.has("kind") ? tree.get("kind").getAsString() : "";
        if (!KINDS.contains(kind)) {
            return Optional.empty();
        }
        READER.read(kind, fields).asMap().forEach(tree::add);
        return Optional.of(tree);
    }
}
