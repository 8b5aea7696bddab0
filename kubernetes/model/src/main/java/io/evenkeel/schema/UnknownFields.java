package io.evenkeel.schema;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.evenkeel.problem.NearestName;
import io.evenkeel.schema.Schema.Field;
import io.evenkeel.schema.Schema.FieldType.Nested;
import io.evenkeel.schema.Schema.MessageType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the fields of an object in JSON that its kind does not have in Kubernetes 1.36: those that an API server would
 * drop. Of kinds that the table does not have, nothing is said.
 */
public final class UnknownFields {
    /**
     * A field that the object's kind does not have.
     *
     * @param hint what may have been meant, or nothing
     */
    public record UnknownField(String path, String hint) {}

    private final Schema schema = Schema.KUBERNETES;
    private final List<UnknownField> found = new ArrayList<>();

    private UnknownFields() {}

    /**
     * All of an object.
     *
     * @param impliedKind the kind of an object that does not say it
     */
    public static List<UnknownField> in(JsonObject object, String impliedKind) {
        UnknownFields fields = new UnknownFields();
        fields.messageOf(object, impliedKind).ifPresent(message -> fields.walk(object, message, ""));
        return List.copyOf(fields.found);
    }

    public static String kindOf(JsonObject object, String impliedKind) {
        String named = text(object, "kind");
        return named.isEmpty() ? impliedKind : named;
    }

    /** The apiVersion that an object names; empty where it does not say so. */
    public static String apiVersionOf(JsonObject object) {
        return text(object, "apiVersion");
    }

    private static String text(JsonObject object, String member) {
        return object.get(member) instanceof JsonPrimitive text ? text.getAsString() : "";
    }

    private Optional<String> messageOf(JsonObject object, String impliedKind) {
        String kind = kindOf(object, impliedKind);
        String apiVersion = apiVersionOf(object);
        return apiVersion.isEmpty() ? onlyOneOf(kind) : schema.nameOf(new TypeMeta(apiVersion, kind));
    }

    /** As examples have it, a kind alone, where it says enough. */
    private Optional<String> onlyOneOf(String kind) {
        List<String> candidates = schema.messages().keySet().stream()
                .filter(name -> name.endsWith("/" + kind))
                .toList();
        return candidates.size() == 1 ? Optional.of(candidates.getFirst()) : Optional.empty();
    }

    private void walk(JsonObject object, String message, String path) {
        Map<String, Field> known = fieldsOf(message);
        for (Map.Entry<String, JsonElement> entry : object.entrySet()) {
            String name = entry.getKey();
            String place = path.isEmpty() ? name : path + "." + name;
            Field field = known.get(name);
            if (field != null) {
                walkValue(entry.getValue(), field, place);
            } else if (!path.isEmpty() || !(name.equals("apiVersion") || name.equals("kind"))) {
                found.add(new UnknownField(place, NearestName.hint(name, known.keySet())));
            }
        }
    }

    private void walkValue(JsonElement value, Field field, String path) {
        if (field.type() instanceof Nested nested) {
            switch (field.count()) {
                case ONE -> walkIfObject(value, nested, path);
                case MANY -> {
                    if (value.isJsonArray()) {
                        for (int i = 0; i < value.getAsJsonArray().size(); i++) {
                            walkIfObject(value.getAsJsonArray().get(i), nested, path + "[" + i + "]");
                        }
                    }
                }
                case MAP -> {
                    if (value.isJsonObject()) {
                        value.getAsJsonObject()
                                .asMap()
                                .forEach((key, entry) -> walkIfObject(entry, nested, path + "[" + key + "]"));
                    }
                }
            }
        }
    }

    private void walkIfObject(JsonElement value, Nested type, String path) {
        if (value.isJsonObject()) {
            walk(value.getAsJsonObject(), type.message(), path);
        }
    }

    private Map<String, Field> fieldsOf(String message) {
        MessageType type = schema.message(message);
        if (type.parts().isEmpty()) {
            return type.fields();
        }
        Map<String, Field> all = new HashMap<>(type.fields());
        for (Field part : type.parts()) {
            if (part.type() instanceof Nested nested) {
                all.putAll(fieldsOf(nested.message()));
            }
        }
        return all;
    }
}
