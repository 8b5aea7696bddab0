package io.evenkeel.schema;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.schema.Schema.Field;
import io.evenkeel.schema.Schema.FieldType.Nested;
import io.evenkeel.schema.Schema.MessageType;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Takes out of objects what their kinds have no field for, as types of a real server do by reading. */
public final class KnownFields {
    private static final String METADATA = "metadata";
    private static final List<String> TYPE = List.of("kind", "apiVersion");

    private final List<String> unknown = new ArrayList<>();

    private KnownFields() {}

    /** Removes the members that a kind does not know, and names them: {@code spec.containers[0].imagex}. */
    public static List<String> keepIn(TypeMeta type, JsonObject tree) {
        KnownFields fields = new KnownFields();
        Schema.KUBERNETES.nameOf(type).ifPresent(message -> fields.walk(message, tree, ""));
        return List.copyOf(fields.unknown);
    }

    private void walk(String message, JsonObject tree, String prefix) {
        Iterator<Map.Entry<String, JsonElement>> members = tree.entrySet().iterator();
        while (members.hasNext()) {
            Map.Entry<String, JsonElement> member = members.next();
            String path = prefix + member.getKey();
            Optional<Field> field = field(message, member.getKey());
            if (field.isPresent()) {
                walk(field.get(), member.getValue(), path);
            } else if (!saysItsType(message, member.getKey())) {
                unknown.add(path);
                members.remove();
            }
        }
    }

    private void walk(Field field, JsonElement value, String path) {
        if (!(field.type() instanceof Nested nested)) {
            return;
        }
        switch (field.count()) {
            case ONE -> walk(nested, value, path);
            case MANY -> {
                if (value.isJsonArray()) {
                    for (int i = 0; i < value.getAsJsonArray().size(); i++) {
                        walk(nested, value.getAsJsonArray().get(i), path + "[" + i + "]");
                    }
                }
            }
            case MAP -> {
                if (value.isJsonObject()) {
                    value.getAsJsonObject()
                            .entrySet()
                            .forEach(entry -> walk(nested, entry.getValue(), path + "." + entry.getKey()));
                }
            }
        }
    }

    private void walk(Nested nested, JsonElement value, String path) {
        if (value.isJsonObject()) {
            walk(nested.message(), value.getAsJsonObject(), path + ".");
        }
    }

    private static Optional<Field> field(String message, String name) {
        MessageType type = Schema.KUBERNETES.message(message);
        return Optional.ofNullable(type.fields().get(name))
                .or(() -> type.parts().stream()
                        .flatMap(part -> part.type() instanceof Nested nested
                                ? field(nested.message(), name).stream()
                                : Stream.empty())
                        .findFirst());
    }

    /** Objects, also those within others, may say what they are. */
    private static boolean saysItsType(String message, String name) {
        return TYPE.contains(name)
                && Schema.KUBERNETES.message(message).fields().containsKey(METADATA);
    }
}
