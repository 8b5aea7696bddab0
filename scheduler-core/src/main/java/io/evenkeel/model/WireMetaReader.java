package io.evenkeel.model;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads {@code metadata}, which is field 1 of every object. */
final class WireMetaReader {
    static final int METADATA = 1;
    private static final int LABELS = 11;

    private final WireValues values;
    private final WireProjection projection = new WireProjection();
    private final BytesIntern<Labels> labelSets;
    private final BytesIntern<Optional<OwnerReference>> owners;

    WireMetaReader(WireValues values) {
        this.values = values;
        this.labelSets = new BytesIntern<>(in -> values.labels(in, LABELS));
        this.owners = new BytesIntern<>(this::readOwner);
    }

    ObjectMeta read(WireCursor object, String namespaceWhereAbsent) {
        String namespace = "";
        String name = "";
        String uid = "";
        Optional<OwnerReference> controller = Optional.empty();
        boolean terminating = false;
        String resourceVersion = "";
        long generation = 0;
        projection.clear();
        WireCursor in = metadata(object);
        while (in.next()) {
            switch (in.field()) {
                case 1 -> name = in.string();
                case 3 -> namespace = values.string(in);
                case 5 -> uid = in.string();
                case 6 -> resourceVersion = in.string();
                case 7 -> generation = in.int64();
                case 9 -> terminating = true;
                case LABELS -> in.copyTo(projection);
                case 13 -> controller = controller.isPresent() ? controller : in.decoded(owners);
                default -> {}
            }
        }
        return new ObjectMeta(
                namespace.isEmpty() ? namespaceWhereAbsent : namespace,
                name,
                uid,
                projection.isEmpty() ? Labels.EMPTY : projection.decoded(labelSets),
                controller,
                terminating,
                resourceVersion,
                generation);
    }

    /** Only the version and the annotations, which is all that a bookmark says. */
    WireHeader readHeader(WireCursor object) {
        String resourceVersion = "";
        Map<String, String> annotations = new TreeMap<>();
        WireCursor in = metadata(object);
        while (in.next()) {
            switch (in.field()) {
                case 6 -> resourceVersion = in.string();
                case 12 -> values.addLabel(in, annotations);
                default -> {}
            }
        }
        return new WireHeader(resourceVersion, annotations);
    }

    private static WireCursor metadata(WireCursor object) {
        while (object.next()) {
            if (object.field() == METADATA) {
                return object.message();
            }
        }
        return object;
    }

    private Optional<OwnerReference> readOwner(WireCursor in) {
        String apiVersion = "";
        String kind = "";
        String name = "";
        String uid = "";
        boolean controls = false;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> kind = values.string(in);
                case 3 -> name = values.string(in);
                case 4 -> uid = values.string(in);
                case 5 -> apiVersion = values.string(in);
                case 6 -> controls = in.bool();
                default -> {}
            }
        }
        return controls ? Optional.of(new OwnerReference(apiVersion, kind, name, uid)) : Optional.empty();
    }
}
