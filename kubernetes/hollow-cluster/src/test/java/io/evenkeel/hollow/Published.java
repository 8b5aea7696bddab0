package io.evenkeel.hollow;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.schema.TypeMeta;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Authentication;
import io.kubernetes.client.proto.V1Authorization;
import io.kubernetes.client.proto.V1Autoscaling;
import io.kubernetes.client.proto.V1Batch;
import io.kubernetes.client.proto.V1Coordination;
import io.kubernetes.client.proto.V1Events;
import io.kubernetes.client.proto.V1Networking;
import io.kubernetes.client.proto.V1Policy;
import io.kubernetes.client.proto.V1Rbac;
import io.kubernetes.client.proto.V1Resource;
import io.kubernetes.client.proto.V1Scheduling;
import io.kubernetes.client.proto.V1Storage;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The messages as Kubernetes publishes them, in the form of a library by others. */
final class Published {
    private static final Map<String, FileDescriptor> GROUPS = Map.ofEntries(
            Map.entry("v1", V1.getDescriptor()),
            Map.entry("apps/v1", V1Apps.getDescriptor()),
            Map.entry("authentication.k8s.io/v1", V1Authentication.getDescriptor()),
            Map.entry("authorization.k8s.io/v1", V1Authorization.getDescriptor()),
            Map.entry("autoscaling/v1", V1Autoscaling.getDescriptor()),
            Map.entry("batch/v1", V1Batch.getDescriptor()),
            Map.entry("coordination.k8s.io/v1", V1Coordination.getDescriptor()),
            Map.entry("events.k8s.io/v1", V1Events.getDescriptor()),
            Map.entry("networking.k8s.io/v1", V1Networking.getDescriptor()),
            Map.entry("policy/v1", V1Policy.getDescriptor()),
            Map.entry("rbac.authorization.k8s.io/v1", V1Rbac.getDescriptor()),
            Map.entry("resource.k8s.io/v1", V1Resource.getDescriptor()),
            Map.entry("scheduling.k8s.io/v1", V1Scheduling.getDescriptor()),
            Map.entry("storage.k8s.io/v1", V1Storage.getDescriptor()));

    private Published() {}

    /**
     * Every type that a hollow cluster takes or gives, but PodGroups and DeviceTaintRules, as what has them in protobuf is newer than the
     * library, and other custom resources.
     */
    static Stream<TypeMeta> types() {
        Set<ResourceType> unpublished = Set.of(
                ResourceTable.POD_GROUPS,
                ResourceTable.DEVICE_TAINT_RULES,
                ResourceTable.COSCHEDULING_POD_GROUPS,
                ResourceTable.PLACEMENT_POLICIES,
                ResourceTable.CLUSTER_PLACEMENT_POLICIES);
        return Stream.concat(
                ResourceTable.ALL.stream()
                        .filter(Predicate.not(unpublished::contains))
                        .map(ResourceType::typeMeta),
                Stream.of(
                        TypeMeta.STATUS,
                        new TypeMeta("v1", "DeleteOptions"),
                        new TypeMeta("autoscaling/v1", "Scale"),
                        new TypeMeta("policy/v1", "Eviction")));
    }

    static Descriptor of(TypeMeta type) {
        Descriptor own = GROUPS.get(type.apiVersion()).findMessageTypeByName(type.kind());
        Descriptor found = own == null ? Meta.getDescriptor().findMessageTypeByName(type.kind()) : own;
        if (found == null) {
            throw new AssertionError("nothing is published about " + type);
        }
        return found;
    }
}
