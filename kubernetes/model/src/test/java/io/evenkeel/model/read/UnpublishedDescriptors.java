package io.evenkeel.model.read;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.V1Resource;
import java.util.stream.Stream;

/**
 * Definitions of kinds that are in no file of the client: as Kubernetes 1.37 has them, scheduling.k8s.io/v1beta1 PodGroup
 * and resource.k8s.io/v1 DeviceTaintRule; and those of resource.k8s.io/v1beta1.
 */
final class UnpublishedDescriptors {
    private static final String META = ".k8s.io.apimachinery.pkg.apis.meta.v1.";

    private UnpublishedDescriptors() {}

    static Descriptor podGroup() {
        FileDescriptorProto file = FileDescriptorProto.newBuilder()
                .setName("podgroup.proto")
                .setPackage("groups")
                .addDependency(Meta.getDescriptor().getName())
                .addMessageType(message(
                        "PodGroup",
                        one("metadata", 1, META + "ObjectMeta"),
                        one("spec", 2, "PodGroupSpec"),
                        one("status", 3, "PodGroupStatus")))
                .addMessageType(message(
                        "PodGroupSpec",
                        text("parentCompositePodGroupName", 1),
                        one("workloadRef", 2, "WorkloadReference"),
                        one("schedulingPolicy", 3, "PodGroupSchedulingPolicy"),
                        one("schedulingConstraints", 4, "PodGroupSchedulingConstraints"),
                        many("resourceClaims", 5, "PodGroupResourceClaim"),
                        one("disruptionMode", 6, "DisruptionMode"),
                        text("priorityClassName", 7),
                        number("priority", 8),
                        text("preemptionPolicy", 9)))
                .addMessageType(message("WorkloadReference", text("workloadName", 1), text("templateName", 2)))
                .addMessageType(message(
                        "PodGroupSchedulingPolicy", one("basic", 1, "Nothing"), one("gang", 2, "GangSchedulingPolicy")))
                .addMessageType(message("GangSchedulingPolicy", number("minCount", 1)))
                .addMessageType(message("PodGroupSchedulingConstraints", many("topology", 1, "TopologyConstraint")))
                .addMessageType(message("TopologyConstraint", text("key", 1)))
                .addMessageType(message("DisruptionMode", one("single", 1, "Nothing"), one("all", 2, "Nothing")))
                .addMessageType(message("Nothing"))
                .addMessageType(message(
                        "PodGroupResourceClaim",
                        text("name", 1),
                        text("resourceClaimName", 2),
                        text("resourceClaimTemplateName", 3)))
                .addMessageType(message("PodGroupStatus", many("conditions", 1, META + "Condition")))
                .build();
        return built(file, "PodGroup", Meta.getDescriptor());
    }

    static Descriptor deviceTaintRule() {
        FileDescriptorProto file = FileDescriptorProto.newBuilder()
                .setName("devicetaintrule.proto")
                .setPackage("devices")
                .addDependency(Meta.getDescriptor().getName())
                .addDependency(V1Resource.getDescriptor().getName())
                .addMessageType(message(
                        "DeviceTaintRule",
                        one("metadata", 1, META + "ObjectMeta"),
                        one("spec", 2, "DeviceTaintRuleSpec"),
                        one("status", 3, "DeviceTaintRuleStatus")))
                .addMessageType(message(
                        "DeviceTaintRuleSpec",
                        one("deviceSelector", 1, "DeviceTaintSelector"),
                        one("taint", 2, ".k8s.io.api.resource.v1.DeviceTaint")))
                .addMessageType(message("DeviceTaintSelector", text("driver", 2), text("pool", 3), text("device", 4)))
                .addMessageType(message("DeviceTaintRuleStatus", many("conditions", 1, META + "Condition")))
                .build();
        return built(file, "DeviceTaintRule", Meta.getDescriptor(), V1Resource.getDescriptor());
    }

    /** What is wanted stands in the request itself there, and all of a device but its name a level deeper. */
    static Descriptor olderDevices(String kind) {
        FileDescriptorProto newer = V1Resource.getDescriptor().toProto();
        FileDescriptorProto.Builder file = newer.toBuilder()
                .setName("v1beta1.proto")
                .setPackage("k8s.io.api.resource.v1beta1")
                .clearMessageType();
        for (DescriptorProto message : newer.getMessageTypeList()) {
            file.addMessageType(
                    switch (message.getName()) {
                        case "Device" -> message("Device", text("name", 1), one("basic", 2, "BasicDevice"));
                        case "DeviceRequest" ->
                            message(
                                    "DeviceRequest",
                                    text("name", 1),
                                    text("deviceClassName", 2),
                                    many("selectors", 3, "DeviceSelector"),
                                    text("allocationMode", 4),
                                    field("count", 5, Label.LABEL_OPTIONAL)
                                            .setType(FieldDescriptorProto.Type.TYPE_INT64)
                                            .build(),
                                    field("adminAccess", 6, Label.LABEL_OPTIONAL)
                                            .setType(FieldDescriptorProto.Type.TYPE_BOOL)
                                            .build(),
                                    many("firstAvailable", 7, "DeviceSubRequest"),
                                    many("tolerations", 8, "DeviceToleration"),
                                    one("capacity", 9, "CapacityRequirements"));
                        case "DeviceSubRequest" -> renumbered(message, 6, 1).build();
                        default -> renumbered(message, 0, 0).build();
                    });
            if (message.getName().equals("Device")) {
                file.addMessageType(
                        renumbered(message, 0, -1).setName("BasicDevice").removeField(0));
            }
        }
        return built(
                file.build(), kind, V1Resource.getDescriptor().getDependencies().toArray(FileDescriptor[]::new));
    }

    /** The message with other numbers from this one on, in the same file as the messages that it is made of. */
    private static DescriptorProto.Builder renumbered(DescriptorProto message, int from, int by) {
        DescriptorProto.Builder copy = message.toBuilder();
        for (FieldDescriptorProto.Builder field : copy.getFieldBuilderList()) {
            field.setNumber(field.getNumber() >= from ? field.getNumber() + by : field.getNumber());
        }
        Stream.concat(Stream.of(copy), copy.getNestedTypeBuilderList().stream())
                .flatMap(each -> each.getFieldBuilderList().stream())
                .filter(FieldDescriptorProto.Builder::hasTypeName)
                .forEach(field -> field.setTypeName(field.getTypeName()
                        .replace(".resource.v1.Device.", ".resource.v1beta1.BasicDevice.")
                        .replace(".resource.v1.", ".resource.v1beta1.")));
        return copy;
    }

    private static Descriptor built(FileDescriptorProto file, String message, FileDescriptor... uses) {
        try {
            return FileDescriptor.buildFrom(file, uses).findMessageTypeByName(message);
        } catch (DescriptorValidationException mistaken) {
            throw new AssertionError(mistaken);
        }
    }

    private static DescriptorProto message(String name, FieldDescriptorProto... fields) {
        DescriptorProto.Builder message = DescriptorProto.newBuilder().setName(name);
        for (FieldDescriptorProto field : fields) {
            message.addField(field);
        }
        return message.build();
    }

    private static FieldDescriptorProto text(String name, int number) {
        return field(name, number, Label.LABEL_OPTIONAL)
                .setType(FieldDescriptorProto.Type.TYPE_STRING)
                .build();
    }

    private static FieldDescriptorProto number(String name, int number) {
        return field(name, number, Label.LABEL_OPTIONAL)
                .setType(FieldDescriptorProto.Type.TYPE_INT32)
                .build();
    }

    private static FieldDescriptorProto one(String name, int number, String type) {
        return message(name, number, type, Label.LABEL_OPTIONAL);
    }

    private static FieldDescriptorProto many(String name, int number, String type) {
        return message(name, number, type, Label.LABEL_REPEATED);
    }

    private static FieldDescriptorProto message(String name, int number, String type, Label label) {
        return field(name, number, label)
                .setType(FieldDescriptorProto.Type.TYPE_MESSAGE)
                .setTypeName(type)
                .build();
    }

    private static FieldDescriptorProto.Builder field(String name, int number, Label label) {
        return FieldDescriptorProto.newBuilder().setName(name).setNumber(number).setLabel(label);
    }
}
