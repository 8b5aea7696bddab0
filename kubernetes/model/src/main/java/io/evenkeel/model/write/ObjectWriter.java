package io.evenkeel.model.write;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.decode.Field;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.decode.TableWriter;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Writes objects by the tables that read them. Of an object there is only what scheduling reads, and so that is what is
 * written; reading it gives an equal record.
 *
 * <p>A plugin's table may leave out where its values are found: such a kind cannot be written, and {@link #unwritable} says
 * so beforehand. Immutable.
 *
 * @since 0.1
 */
public final class ObjectWriter {
    private final Map<String, Kind<?>> byName = new HashMap<>();

    /** Writes the kinds that Evenkeel knows itself. */
    public ObjectWriter() {
        this(Kinds.IN_TREE);
    }

    public ObjectWriter(Kinds kinds) {
        kinds.all().forEach(kind -> byName.put(kind.name(), kind));
    }

    /** Why objects of the kind cannot be written: the field with a row that does not say where it is found. */
    public static Optional<String> unwritable(Kind<?> kind) {
        return TableWriter.unwritable(kind.table()).map(Field::name);
    }

    /** The kind of the object; empty for an {@link UnreadObject}. */
    public Optional<Kind<?>> kindOf(KubernetesObject object) {
        return object instanceof UnreadObject ? Optional.empty() : Optional.of(known(object));
    }

    /** As an API server answers it; of an {@link UnreadObject} its kind and metadata. */
    public String json(KubernetesObject object) {
        JsonEncoder out = new JsonEncoder();
        out.beginMessage();
        if (object instanceof UnreadObject unread) {
            out.field("kind", 0);
            out.string(unread.kindName());
            TableWriter.writeFields(Metadata.IDENTITY, unread.meta(), out);
        } else {
            Kind<?> kind = known(object);
            out.field("apiVersion", 0);
            out.string(kind.apiVersion());
            out.field("kind", 0);
            out.string(kind.objectKind());
            TableWriter.writeFields(table(kind), object, out);
        }
        out.endMessage();
        return out.toString();
    }

    /** The message alone, without what says its kind. */
    public byte[] protobuf(KubernetesObject object) {
        ProtobufEncoder out = new ProtobufEncoder();
        if (object instanceof UnreadObject unread) {
            TableWriter.writeFields(Metadata.IDENTITY, unread.meta(), out);
        } else {
            TableWriter.writeFields(table(known(object)), object, out);
        }
        return out.toBytes();
    }

    private Kind<?> known(KubernetesObject object) {
        Kind<?> kind = byName.get(object.kindName());
        if (kind == null || !kind.type().isInstance(object)) {
            throw new IllegalArgumentException(object.kindName() + ": no kind that is read");
        }
        return kind;
    }

    @SuppressWarnings("unchecked") // the object is of the kind's own type
    private static Message<KubernetesObject> table(Kind<?> kind) {
        return (Message<KubernetesObject>) kind.table();
    }
}
