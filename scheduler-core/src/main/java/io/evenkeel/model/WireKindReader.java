package io.evenkeel.model;

import java.util.Map;
import java.util.function.Function;

/** Reads the objects of one kind from the fields of their messages. For one thread. */
interface WireKindReader {

    /** Reads all but the metadata; the cursor stands before the object's first field. */
    KubernetesObject read(ObjectMeta meta, WireCursor in);

    /** The readers of the kinds that are read, the same as {@link KindReader.Kind} names. */
    static Map<String, WireKindReader> all(WireValues values) {
        WireSelectorReader selectors = new WireSelectorReader(values);
        return Map.of(
                "Pod",
                new WirePodReader(values),
                "Node",
                new WireNodeReader(values),
                "Namespace",
                (meta, in) -> new Namespace(meta),
                "Service",
                (meta, in) -> new Service(meta, spec(in, spec -> values.labels(spec, 2))),
                "ReplicaSet",
                owner(WorkloadOwner.Kind.REPLICA_SET, spec -> selector(spec, selectors)),
                "StatefulSet",
                owner(WorkloadOwner.Kind.STATEFUL_SET, spec -> selector(spec, selectors)),
                "ReplicationController",
                owner(WorkloadOwner.Kind.REPLICATION_CONTROLLER, spec -> {
                    Labels labels = values.labels(spec, 2);
                    return labels.size() == 0 ? LabelSelector.NOTHING : LabelSelector.matchingLabels(labels);
                }),
                "PriorityClass",
                new WirePriorityClassReader(values));
    }

    private static WireKindReader owner(WorkloadOwner.Kind kind, Function<WireCursor, LabelSelector> selector) {
        return (meta, in) -> new WorkloadOwner(kind, meta, spec(in, selector));
    }

    /** Field 2 of a spec, as ReplicaSets and StatefulSets have it. */
    private static LabelSelector selector(WireCursor spec, WireSelectorReader selectors) {
        LabelSelector selector = LabelSelector.NOTHING;
        while (spec.next()) {
            if (spec.field() == 2) {
                selector = selectors.read(spec.message());
            }
        }
        return selector;
    }

    /** What is read of field 2, the spec; of an empty message where there is none. */
    private static <T> T spec(WireCursor in, Function<WireCursor, T> reader) {
        while (in.next()) {
            if (in.field() == 2) {
                return reader.apply(in.message());
            }
        }
        return reader.apply(in);
    }
}
