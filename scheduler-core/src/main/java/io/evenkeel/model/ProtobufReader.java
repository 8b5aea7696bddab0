package io.evenkeel.model;

import java.util.Map;
import java.util.Optional;

/**
 * Reads Kubernetes objects from protobuf into the very records that {@link ObjectReader} makes of their JSON. Unknown
 * field numbers are skipped; bytes that make no sense are an {@link ObjectReadException}, whatever they are.
 *
 * <p>For one thread: it keeps what it has decoded, to recognise the next object of the same workload by its bytes.
 */
public final class ProtobufReader {
    private static final byte[] NOTHING = {};

    private final WireValues values = new WireValues();
    private final WireMetaReader metas = new WireMetaReader(values);
    private final Map<String, WireKindReader> kinds = WireKindReader.all(values);

    public KubernetesObject read(WireObject object) {
        return read(object, false);
    }

    /** As {@link #read}, but reads nothing except the metadata: for objects that are gone. */
    public KubernetesObject readIdentity(WireObject object) {
        return read(object, true);
    }

    /** The little that a bookmark says. */
    public WireHeader readHeader(WireObject object) {
        return metas.readHeader(object.fields());
    }

    private KubernetesObject read(WireObject object, boolean identityOnly) {
        Optional<ObjectMeta> identity = Optional.empty();
        try {
            WireKindReader reader = kinds.get(object.kind());
            Optional<KindReader.Kind> known = KindReader.Kind.of(object.kind(), object.apiVersion());
            if (reader == null || known.isEmpty()) {
                return new UnreadObject(object.kind(), metas.read(object.fields(), ""));
            }
            ObjectMeta meta = metas.read(object.fields(), known.get().namespaced() ? "default" : "");
            if (meta.name().isEmpty()) {
                throw WireValues.missing("metadata.name");
            }
            identity = Optional.of(meta);
            return reader.read(meta, identityOnly ? new WireCursor(NOTHING, 0, 0) : object.fields());
        } catch (FieldProblem | ObjectReadException problem) {
            String subject = object.kind() + " " + identity.map(ObjectMeta::key).orElse("");
            throw new ObjectReadException(subject.strip() + ": " + problem.getMessage(), identity, problem);
        }
    }
}
