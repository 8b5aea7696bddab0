package io.evenkeel.hollow.registry;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.schema.Schema;
import io.evenkeel.schema.Schema.Field;
import io.evenkeel.schema.Schema.FieldType;
import io.evenkeel.schema.Schema.FieldType.Nested;
import io.evenkeel.schema.Schema.FieldType.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds values that are not of their fields' types: what a real server cannot read at all. It names the first of them. */
public final class Decoding {

    /** The numbers of 64 bits; all others have 32. */
    private static final Set<String> LONG = Set.of(
            "activeDeadlineSeconds",
            "deletionGracePeriodSeconds",
            "expirationSeconds",
            "fsGroup",
            "generation",
            "gid",
            "int",
            "ints",
            "nodeAllocatableUpdatePeriodSeconds",
            "observedGeneration",
            "remainingItemCount",
            "resourceSliceCount",
            "runAsGroup",
            "runAsUser",
            "sizeBytes",
            "startingDeadlineSeconds",
            "supplementalGroups",
            "terminationGracePeriodSeconds",
            "tolerationSeconds",
            "uid");

    /** Texts with a type that has a name of its own, as far as they are storage's. */
    private static final Map<String, String> NAMED = Map.of(
            "accessModes", "v1.PersistentVolumeAccessMode",
            "persistentVolumeReclaimPolicy", "v1.PersistentVolumeReclaimPolicy",
            "reclaimPolicy", "v1.PersistentVolumeReclaimPolicy",
            "volumeBindingMode", "v1.VolumeBindingMode",
            "volumeMode", "v1.PersistentVolumeMode");

    private final List<String> problems = new ArrayList<>();

    private Decoding() {}

    /** The mistakes in an object, or nothing. Its amounts are brought into a form that is understood everywhere. */
    public static Optional<String> problem(ResourceType type, JsonObject tree) {
        Decoding decoding = new Decoding();
        Schema.KUBERNETES.nameOf(type.typeMeta()).ifPresent(message -> decoding.walk(message, tree, ""));
        return decoding.problems.stream().findFirst();
    }

    /** Takes kind and apiVersion off an object, after a look at whether it is of the type that belongs where it was sent. */
    static void check(ResourceType type, JsonObject sent) {
        String kind = Trees.text(sent, "kind");
        String apiVersion = Trees.text(sent, "apiVersion");
        boolean otherKind = !kind.isEmpty() && !kind.equals(type.kind());
        boolean otherVersion = !apiVersion.isEmpty() && !apiVersion.equals(type.apiVersion());
        if (otherKind || otherVersion) {
            throw Refusals.badRequest("%s in version \"%s\" cannot be handled as a %s: expected %s %s"
                    .formatted(kind, apiVersion, type.kind(), type.apiVersion(), type.kind()));
        }
        problem(type, sent).ifPresent(problem -> {
            throw Refusals.unreadable(type, problem);
        });
        sent.remove("kind");
        sent.remove("apiVersion");
    }

    private void walk(String message, JsonObject tree, String prefix) {
        tree.entrySet()
                .forEach(member -> field(message, member.getKey())
                        .ifPresent(field -> walk(new Place(message, prefix + field.name(), field), member)));
    }

    private void walk(Place place, Map.Entry<String, JsonElement> member) {
        JsonElement value = member.getValue();
        switch (place.field().count()) {
            case ONE -> single(place, member);
            case MANY -> {
                if (value instanceof JsonArray array) {
                    array.forEach(each -> single(place, Map.entry("", each)));
                } else {
                    mismatch(place, value, "[]" + place.typeName());
                }
            }
            case MAP -> {
                if (value instanceof JsonObject map) {
                    map.entrySet().forEach(entry -> single(place, entry));
                } else {
                    mismatch(place, value, place.mapName());
                }
            }
        }
    }

    private void single(Place place, Map.Entry<String, JsonElement> member) {
        JsonElement value = member.getValue();
        boolean fits = switch (place.field().type()) {
            case Nested nested -> {
                if (value instanceof JsonObject object) {
                    walk(nested.message(), object, place.path() + ".");
                }
                yield value.isJsonObject();
            }
            case Scalar.QUANTITY -> {
                quantity(member);
                yield true;
            }
            case Scalar.STRING -> value instanceof JsonPrimitive text && text.isString();
            case Scalar.BOOL -> value instanceof JsonPrimitive bool && bool.isBoolean();
            case Scalar.INT -> value instanceof JsonPrimitive number && number.isNumber() && place.holds(number);
            case Scalar _ -> true;
        };
        if (!fits) {
            mismatch(place, value, place.typeName());
        }
    }

    private void quantity(Map.Entry<String, JsonElement> member) {
        String text = member.getValue() instanceof JsonPrimitive amount ? amount.getAsString() : "";
        QuantityText quantity = QuantityText.of(text);
        quantity.problem().ifPresent(problems::add);
        if (!quantity.text().equals(text)) {
            member.setValue(new JsonPrimitive(quantity.text()));
        }
    }

    private void mismatch(Place place, JsonElement value, String typeName) {
        if (!value.isJsonNull()) {
            problems.add("json: cannot unmarshal %s into Go struct field %s.%s of type %s"
                    .formatted(described(place, value), place.structName(), place.path(), typeName));
        }
    }

    private static String described(Place place, JsonElement value) {
        return switch (value) {
            case JsonArray _ -> "array";
            case JsonPrimitive text when text.isString() -> "string";
            case JsonPrimitive bool when bool.isBoolean() -> "bool";
            case JsonPrimitive number -> place.field().type() == Scalar.INT ? "number " + number : "number";
            default -> "object";
        };
    }

    private static Optional<Field> field(String message, String name) {
        return Optional.ofNullable(Schema.KUBERNETES.message(message).fields().get(name))
                .or(() -> Schema.KUBERNETES.message(message).parts().stream()
                        .flatMap(part -> part.type() instanceof Nested nested
                                ? field(nested.message(), name).stream()
                                : Stream.empty())
                        .findFirst());
    }

    /** A field of a message, and the way to it. */
    private record Place(String message, String path, Field field) {

        String structName() {
            return simple(message);
        }

        boolean holds(JsonPrimitive number) {
            try {
                long value = Long.parseLong(number.getAsString());
                return isLong() || value == (int) value;
            } catch (NumberFormatException fractionOrTooLarge) {
                return false;
            }
        }

        String typeName() {
            FieldType type = field.type();
            return switch (type) {
                case Nested nested -> "v1." + simple(nested.message());
                case Scalar.INT -> isLong() ? "int64" : "int32";
                case Scalar.BOOL -> "bool";
                default -> NAMED.getOrDefault(field.name(), "string");
            };
        }

        String mapName() {
            return field.type() == Scalar.QUANTITY ? "v1.ResourceList" : "map[string]" + typeName();
        }

        private boolean isLong() {
            return LONG.contains(field.name());
        }

        private static String simple(String message) {
            return message.substring(message.indexOf('/') + 1);
        }
    }

    /**
     * The text of an amount, and why it is none. A real server takes a suffix without a number, such as {@code Gi}, for zero:
     * then so is the text here.
     */
    private record QuantityText(String text, Optional<String> problem) {

        private static final Pattern FORM =
                Pattern.compile("[+-]?(?<number>[0-9]*(\\.[0-9]*)?)(?<suffix>[eEinumkKMGTP]*[-+]?[0-9]*)");
        private static final Pattern SUFFIX = Pattern.compile("[numkMGTPE]?|[KMGTPE]i|[eE][-+]?[0-9]+");

        private static final String OTHER_FORM =
                "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
        private static final String OTHER_SUFFIX = "unable to parse quantity's suffix";

        static QuantityText of(String sent) {
            String text = sent.strip();
            try {
                Quantity.parse(text);
                return new QuantityText(text, Optional.empty());
            } catch (IllegalArgumentException malformed) {
                return otherwise(text);
            }
        }

        private static QuantityText otherwise(String text) {
            Matcher parts = FORM.matcher(text);
            if (text.isEmpty() || !parts.matches()) {
                return new QuantityText(text, Optional.of(OTHER_FORM));
            }
            boolean withoutNumber = parts.group("number").replace(".", "").isEmpty();
            return withoutNumber && SUFFIX.matcher(parts.group("suffix")).matches()
                    ? new QuantityText("0", Optional.empty())
                    : new QuantityText(text, Optional.of(OTHER_SUFFIX));
        }
    }
}
