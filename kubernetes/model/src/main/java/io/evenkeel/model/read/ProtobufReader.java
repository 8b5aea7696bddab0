package io.evenkeel.model.read;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.decode.ProtobufDecoder;
import io.evenkeel.model.decode.Values;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.decode.cursor.FieldProblem;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import io.evenkeel.model.decode.cursor.SharedValues;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader.PodHeader;
import java.util.Map;
import java.util.Optional;

/**
 * Reads Kubernetes objects from protobuf into the very records that {@link ObjectReader} makes of their JSON. Unknown
 * field numbers are skipped; bytes that make no sense are an {@link ObjectReadException}, whatever they are.
 *
 * <p>For one thread: it keeps what it has decoded, to recognise the next object of the same workload by its bytes.
 */
public final class ProtobufReader {
    private final ProtobufDecoder decoder;
    private final Kinds kinds;

    /** Reads the kinds that Evenkeel knows itself. */
    public ProtobufReader() {
        this(Kinds.IN_TREE);
    }

    public ProtobufReader(Kinds kinds) {
        this(new SharedValues(), kinds);
    }

    ProtobufReader(SharedValues shared, Kinds kinds) {
        this.decoder = new ProtobufDecoder(shared);
        this.kinds = kinds;
    }

    public KubernetesObject read(ProtobufObject object) {
        return read(object, false);
    }

    /** As {@link #read}, but reads nothing except the metadata: for objects that are gone. */
    public KubernetesObject readIdentity(ProtobufObject object) {
        return read(object, true);
    }

    /** Reads nothing but its header of a pod that cannot be read whole, and nothing at all where that cannot be read either. */
    public Optional<PodHeader> readHeader(ProtobufObject object) {
        if (!object.kind().equals(Kinds.POD.name())) {
            return Optional.empty();
        }
        try {
            return Optional.of(decoder.decode(PodHeader.OBJECT, object.fields()));
        } catch (FieldProblem | ObjectReadException known) {
            return Optional.empty();
        }
    }

    public Bookmark readBookmark(ProtobufObject object) {
        return decoder.decode(Bookmark.OBJECT, object.fields());
    }

    private KubernetesObject read(ProtobufObject object, boolean identityOnly) {
        Optional<Kind<?>> kind = kinds.find(object.kind(), object.apiVersion());
        try {
            if (kind.isEmpty()) {
                return new UnreadObject(object.kind(), decoder.decode(Metadata.IDENTITY, object.fields()));
            }
            Message<?> table = kind.get().table();
            if (identityOnly) {
                return kind.get().identity(decoder.decode(Metadata.identity(table), object.fields()));
            }
            Values values = decoder.values(table, object.fields());
            return kind.get().make(values.get(Metadata.FIELD), values);
        } catch (FieldProblem | ObjectReadException problem) {
            Optional<ObjectMeta> identity = identity(object, kind);
            String subject = Excerpt.of(object.kind()) + " "
                    + identity.map(meta -> Excerpt.of(meta.key())).orElse("");
            throw new ObjectReadException(subject.strip() + ": " + problem.getMessage(), identity, problem);
        }
    }

    /** Of an object that could not be read: what its metadata said before the problem. */
    private Optional<ObjectMeta> identity(ProtobufObject object, Optional<Kind<?>> kind) {
        Values values = Metadata.TABLE.newValues();
        try {
            ProtobufCursor in = object.fields();
            while (in.next()) {
                if (in.field() == Metadata.FIELD.number()) {
                    values = Metadata.TABLE.newValues();
                    decoder.read(Metadata.TABLE, in.message(), values);
                }
            }
        } catch (FieldProblem | ObjectReadException known) {
            // the problem is told already
        }
        ObjectMeta meta = Metadata.TABLE.make(values);
        return meta.name().isEmpty()
                ? Optional.empty()
                : Optional.of(kind.isPresent() ? kind.get().home(meta) : meta);
    }

    /** A bookmark of a watch, which looks like an object and is none. */
    public record Bookmark(String resourceVersion, Map<String, String> annotations) {
        private static final Message<Bookmark> METADATA = Message.of(fields -> {
            var resourceVersion = fields.uniqueString("resourceVersion", 6);
            var annotations = fields.stringMap("annotations", 12);
            return read -> new Bookmark(read.get(resourceVersion), read.get(annotations));
        });

        static final Message<Bookmark> OBJECT = Message.of(fields -> {
            var metadata = fields.message("metadata", 1, METADATA, new Bookmark("", Map.of()));
            return read -> read.get(metadata);
        });
    }
}
