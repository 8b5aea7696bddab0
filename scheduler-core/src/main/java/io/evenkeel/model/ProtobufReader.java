package io.evenkeel.model;

import java.util.Map;

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
        String name = "";
        try {
            WireKindReader reader = kinds.get(object.kind());
            boolean known = reader != null
                    && KindReader.Kind.of(object.kind(), object.apiVersion()).isPresent();
            if (reader == null || !known) {
                return new UnreadObject(object.kind(), metas.read(object.fields(), ""));
            }
            boolean namespaced =
                    KindReader.Kind.of(object.kind(), "").orElseThrow().namespaced();
            ObjectMeta meta = metas.read(object.fields(), namespaced ? "default" : "");
            name = meta.key();
            if (meta.name().isEmpty()) {
                throw WireValues.missing("metadata.name");
            }
            return reader.read(meta, identityOnly ? new WireCursor(NOTHING, 0, 0) : object.fields());
        } catch (FieldProblem problem) {
            throw new ObjectReadException((object.kind() + " " + name).strip() + ": " + problem.getMessage(), problem);
        }
    }
}
