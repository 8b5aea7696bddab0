package io.evenkeel.model.read;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.evenkeel.model.decode.Field;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Policy;
import io.kubernetes.client.proto.V1Resource;
import io.kubernetes.client.proto.V1Scheduling;
import io.kubernetes.client.proto.V1Storage;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** The API's own protobuf definitions of the kinds that are read, walked along with their tables. */
final class Descriptors {
    private static final Map<String, FileDescriptor> FILES = Map.of(
            "", V1.getDescriptor(),
            "apps", V1Apps.getDescriptor(),
            "policy", V1Policy.getDescriptor(),
            "scheduling.k8s.io", V1Scheduling.getDescriptor(),
            "storage.k8s.io", V1Storage.getDescriptor(),
            "resource.k8s.io", V1Resource.getDescriptor());

    /** That are in no client's file of their group. */
    private static final Map<Kind<?>, Descriptor> UNPUBLISHED = Map.of(
            Kinds.POD_GROUP, UnpublishedDescriptors.podGroup(),
            Kinds.DEVICE_TAINT_RULE, UnpublishedDescriptors.deviceTaintRule());

    private Descriptors() {}

    private static final Set<Kind<?>> CUSTOM =
            Set.of(Kinds.COSCHEDULING_POD_GROUP, Kinds.PLACEMENT_POLICY, Kinds.CLUSTER_PLACEMENT_POLICY);

    /** The kinds that have a definition, each as often as it looks otherwise: a custom resource comes as JSON only. */
    static List<Kind<?>> kinds() {
        return Kinds.IN_TREE.all().stream()
                .filter(kind -> !CUSTOM.contains(kind))
                .<Kind<?>>flatMap(kind -> kind.versions().stream()
                        .filter(version -> version.equals(kind) || version.table() != kind.table()))
                .toList();
    }

    static Descriptor of(Kind<?> kind) {
        if (kind.apiVersion().equals("resource.k8s.io/v1beta1")) {
            return UnpublishedDescriptors.olderDevices(kind.name());
        }
        Descriptor unpublished = UNPUBLISHED.get(kind);
        return unpublished == null ? FILES.get(kind.group()).findMessageTypeByName(kind.name()) : unpublished;
    }

    /** Every row of every table, with the field's definition; null where the API has none of this number. */
    static void forEachRow(BiConsumer<Field<?>, FieldDescriptor> row) {
        kinds().forEach(kind -> walk(kind.table(), of(kind), row));
    }

    private static void walk(Message<?> table, Descriptor type, BiConsumer<Field<?>, FieldDescriptor> out) {
        for (Field<?> field : table.fields()) {
            Descriptor parent = table.inlinedFields().contains(field)
                    ? type.findFieldByNumber(table.inlinedNumber()).getMessageType()
                    : type;
            FieldDescriptor defined = parent.findFieldByNumber(field.number());
            out.accept(field, defined);
            field.message().ifPresent(inner -> walk(inner, messageOf(defined), out));
        }
    }

    /** That it is, or that its elements or the values of its entries are. */
    private static Descriptor messageOf(FieldDescriptor field) {
        Descriptor type = field.getMessageType();
        return field.isMapField() ? type.findFieldByNumber(2).getMessageType() : type;
    }

    /** As in {@code Toleration.effect}. */
    static String name(FieldDescriptor field) {
        return field.getContainingType().getName() + "." + field.getName();
    }
}
