package io.evenkeel.hollow.encoding;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.schema.Schema;
import io.evenkeel.schema.TypeMeta;
import java.util.Arrays;

/** Bodies as typed clients send them: they would rather write protobuf wherever the kind has it. */
public final class ProtobufBody {
    public static final String MEDIA_TYPE = ProtobufEncoding.MEDIA_TYPE;

    private static final byte[] MAGIC = ProtobufEncoding.MAGIC;
    private static final MessageReader READER = new MessageReader();

    private ProtobufBody() {}

    /**
     * The object with its type.
     *
     * @throws MalformedMessageException if it is none, or of a kind that the schema does not know
     */
    public static JsonObject read(byte[] body) {
        if (body.length < MAGIC.length || !Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new MalformedMessageException(
                    "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
        }
        ProtobufInput envelope = new ProtobufInput(Arrays.copyOfRange(body, MAGIC.length, body.length));
        byte[] type = {};
        byte[] fields = {};
        for (int number = envelope.next(); number != 0; number = envelope.next()) {
            switch (number) {
                case 1 -> type = envelope.bytes();
                case 2 -> fields = envelope.bytes();
                default -> envelope.skip();
            }
        }
        return read(READER.read(Schema.TYPE_META, type), fields);
    }

    private static JsonObject read(JsonObject tree, byte[] fields) {
        TypeMeta type = new TypeMeta(Trees.text(tree, "apiVersion"), Trees.text(tree, "kind"));
        String message = Schema.KUBERNETES
                .nameOf(type)
                .filter(_ -> Schema.KUBERNETES.hasProtobuf(type))
                .orElseThrow(() -> new MalformedMessageException(
                        "no kind \"%s\" is registered for version \"%s\"".formatted(type.kind(), type.apiVersion())));
        READER.read(message, fields).asMap().forEach(tree::add);
        return tree;
    }
}
