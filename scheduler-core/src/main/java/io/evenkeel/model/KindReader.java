package io.evenkeel.model;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads the objects of one kind: takes an object's top-level fields as they come, {@code kind}, {@code apiVersion} and
 * {@code metadata} excepted, and makes the object at the end. For one object only.
 */
interface KindReader {
    /** Consumes the field's value, if only by skipping it. */
    void field(String name, JsonCursor in);

    KubernetesObject build(ObjectMeta meta);

    /** Where a kind is read, and whether its objects live in namespaces. */
    record Kind(String apiGroup, boolean namespaced, Supplier<KindReader> reader) {
        private static final Map<String, Kind> ALL = Map.of(
                "Node", new Kind("", false, NodeReader::new),
                "Pod", new Kind("", true, PodReader::new),
                "Namespace", new Kind("", false, () -> identityOnly(Namespace::new)),
                "Service", new Kind("", true, ServiceReader::new),
                "ReplicationController", new Kind("", true, WorkloadOwnerReader::replicationController),
                "ReplicaSet", new Kind("apps", true, WorkloadOwnerReader::replicaSet),
                "StatefulSet", new Kind("apps", true, WorkloadOwnerReader::statefulSet),
                "PriorityClass", new Kind("scheduling.k8s.io", false, PriorityClassReader::new));

        /** The kind, where it is one that is read; an empty apiVersion may mean any group. */
        static Optional<Kind> of(String name, String apiVersion) {
            return Optional.ofNullable(ALL.get(name)).filter(kind -> kind.isOfGroup(apiVersion));
        }

        static Set<String> names() {
            return ALL.keySet();
        }

        KindReader newReader() {
            return reader.get();
        }

        /** Other groups have kinds of the same names: Knative has Services. */
        private boolean isOfGroup(String apiVersion) {
            int slash = apiVersion.indexOf('/');
            return apiVersion.isEmpty() || apiGroup.equals(slash < 0 ? "" : apiVersion.substring(0, slash));
        }
    }

    /** For kinds of which only the metadata is read. */
    static KindReader identityOnly(Function<ObjectMeta, KubernetesObject> make) {
        return new KindReader() {
            @Override
            public void field(String name, JsonCursor in) {
                in.skip();
            }

            @Override
            public KubernetesObject build(ObjectMeta meta) {
                return make.apply(meta);
            }
        };
    }
}
