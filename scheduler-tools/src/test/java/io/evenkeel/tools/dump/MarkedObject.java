package io.evenkeel.tools.dump;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.schema.Schema;
import io.evenkeel.schema.Schema.Field;
import io.evenkeel.schema.Schema.FieldType.Nested;
import io.evenkeel.schema.Schema.FieldType.Scalar;
import io.evenkeel.schema.Schema.MessageType;
import io.evenkeel.schema.TypeMeta;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Objects that have every field which the schema knows of, and a text of its own wherever one may stand: in fields and as keys. */
final class MarkedObject {
    /** What readers take no other word for, or pass over the rest of the message with another. */
    private static final Map<String, String> REQUIRED = Map.ofEntries(
            Map.entry("core/Toleration.operator", "Equal"),
            Map.entry("core/NodeSelectorRequirement.operator", "NotIn"),
            Map.entry("meta/LabelSelectorRequirement.operator", "NotIn"),
            Map.entry("core/Toleration.effect", "NoExecute"),
            Map.entry("core/Taint.effect", "NoExecute"),
            Map.entry("core/TopologySpreadConstraint.whenUnsatisfiable", "DoNotSchedule"),
            Map.entry("evenkeel.io.v1alpha1/PlacementPolicyRule.whenUnsatisfiable", "DoNotSchedule"),
            Map.entry("evenkeel.io.v1alpha1/PlacementPolicySpec.leavingPods", "Ignore"),
            Map.entry("evenkeel.io.v1alpha1/PlacementPolicySpec.podDeletionCost", "Managed"),
            Map.entry("evenkeel.io.v1alpha1/ClusterPlacementPolicySpec.leavingPods", "Ignore"),
            Map.entry("evenkeel.io.v1alpha1/ClusterPlacementPolicySpec.podDeletionCost", "Managed"),
            Map.entry("evenkeel.io.v1alpha1/ClusterPlacementPolicySpec.countNamespaces", "Separately"),
            Map.entry("core/TopologySpreadConstraint.nodeAffinityPolicy", "Ignore"),
            Map.entry("core/TopologySpreadConstraint.nodeTaintsPolicy", "Honor"),
            Map.entry("core/PodSpec.preemptionPolicy", "Never"),
            Map.entry("scheduling.k8s.io/PriorityClass.preemptionPolicy", "Never"),
            Map.entry("storage.k8s.io/StorageClass.volumeBindingMode", "Immediate"),
            Map.entry("policy/PodDisruptionBudgetSpec.minAvailable", "50%"),
            Map.entry("policy/PodDisruptionBudgetSpec.maxUnavailable", "25%"),
            Map.entry("core/PodCondition.type", "PodScheduled"),
            Map.entry("core/ContainerRestartRule.action", "RestartAllContainers"),
            Map.entry("core/AzureDiskVolumeSource.kind", "Managed"),
            Map.entry("resource.k8s.io/DeviceAllocationConfiguration.source", "FromClass"),
            Map.entry("meta/Condition.type", "PodGroupInitiallyScheduled"));

    /** Keys that look like fields, or like what is known, and are a user's here. */
    private static final List<String> DECEPTIVE_KEYS = List.of("matchLabels", "matchExpressions", "metadata", "status");

    private final IntFunction<String> mark;
    private final boolean isReadable;
    private final int choice;
    private int marks;

    /**
     * Objects with these marks.
     *
     * @param mark by a number, of which there is a new one each time
     * @param isReadable whether words stand where readers demand words
     * @param choice which of the fields that exclude each other is there, as of the sources of a volume
     */
    MarkedObject(IntFunction<String> mark, boolean isReadable, int choice) {
        this.mark = mark;
        this.isReadable = isReadable;
        this.choice = choice;
    }

    JsonObject of(Kind<?> kind) {
        JsonObject object = new JsonObject();
        object.addProperty("apiVersion", kind.apiVersion());
        object.addProperty("kind", kind.objectKind());
        String message = Schema.KUBERNETES
                .nameOf(new TypeMeta(kind.apiVersion(), kind.objectKind()))
                .orElseThrow();
        message(message).asMap().forEach(object::add);
        return object;
    }

    private JsonObject message(String name) {
        JsonObject tree = new JsonObject();
        MessageType message = Schema.KUBERNETES.message(name);
        fields(message).forEach(field -> tree.add(field.name(), value(name, field)));
        for (Field part : message.parts()) {
            String inlined = ((Nested) part.type()).message();
            List<Field> fields = fields(Schema.KUBERNETES.message(inlined));
            Field chosen = fields.get(choice % fields.size());
            tree.add(chosen.name(), value(inlined, chosen));
        }
        return tree;
    }

    private static List<Field> fields(MessageType message) {
        return message.fields().values().stream()
                .sorted(Comparator.comparingInt(Field::number))
                .toList();
    }

    private JsonElement value(String message, Field field) {
        String path = message + "." + field.name();
        return switch (field.count()) {
            case ONE -> one(path, field);
            case MANY -> {
                JsonArray values = new JsonArray();
                values.add(one(path, field));
                values.add(one(path, field));
                yield values;
            }
            case MAP -> map(path, field);
        };
    }

    private JsonObject map(String path, Field field) {
        JsonObject map = new JsonObject();
        map.add(next(), one(path, field));
        DECEPTIVE_KEYS.forEach(key -> map.add(key, one(path, field)));
        if (field.name().equals("annotations")) {
            Annotations.ALL.forEach(key -> map.add(key, one(path, field)));
        }
        return map;
    }

    private JsonElement one(String path, Field field) {
        return switch (field.type()) {
            case Nested nested -> message(nested.message());
            case Scalar.INT -> new JsonPrimitive(1);
            case Scalar.BOOL -> new JsonPrimitive(true);
            case Scalar.BYTES -> new JsonPrimitive("AAAA");
            case Scalar.QUANTITY -> new JsonPrimitive("1");
            case Scalar.TIME, Scalar.MICRO_TIME -> new JsonPrimitive("2026-01-01T00:00:00Z");
            case Scalar.TEXTS -> {
                JsonArray texts = new JsonArray();
                texts.add(next());
                yield texts;
            }
            case Scalar.JSON -> {
                JsonObject any = new JsonObject();
                any.addProperty(next(), next());
                yield any;
            }
            case Scalar.STRING, Scalar.INT_OR_STRING ->
                new JsonPrimitive(isReadable && REQUIRED.containsKey(path) ? REQUIRED.get(path) : next());
        };
    }

    private String next() {
        return mark.apply(++marks);
    }
}
