package io.evenkeel.schema;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.evenkeel.problem.NearestName;
import io.evenkeel.schema.Schema.Field.Count;
import io.evenkeel.schema.Schema.FieldType.Nested;
import io.evenkeel.schema.Schema.FieldType.Scalar;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All message types by {@code GROUP/NAME}, or {@code GROUP.VERSION/NAME} where the version is not v1, read from the files beside this class, of which {@code meta.txt} tells the form. */
public record Schema(Map<String, MessageType> messages) {
    private static final String CORE = "core";
    private static final String META = "meta";
    public static final String TYPE_META = META + "/TypeMeta";

    private static final String VERSION = "v1";
    private static final String LIST = "List";

    private static final String COSCHEDULING = "scheduling.x-k8s.io.v1alpha1";
    private static final String POLICIES = "evenkeel.io.v1alpha1";

    private static final Set<String> CUSTOM = Set.of(COSCHEDULING, POLICIES);

    private static final List<String> PLACES = List.of(
            META,
            CORE,
            "apps",
            "authentication.k8s.io",
            "authorization.k8s.io",
            "autoscaling",
            "batch",
            "coordination.k8s.io",
            "events.k8s.io",
            "networking.k8s.io",
            "policy",
            "rbac.authorization.k8s.io",
            "resource.k8s.io",
            "scheduling.k8s.io",
            "scheduling.k8s.io.v1beta1",
            "storage.k8s.io",
            COSCHEDULING,
            POLICIES);

    public static final Schema KUBERNETES = load();

    private static Schema load() {
        Map<String, List<String>> lines = new HashMap<>();
        PLACES.forEach(group -> messagesOf(group).forEach(words -> lines.put(name(group, words.getFirst()), words)));
        Map<String, MessageType> messages = new HashMap<>();
        lines.forEach((name, words) -> {
            SchemaLine line = new SchemaLine(words, nested -> resolve(lines, name, nested));
            messages.put(name, line.message());
        });
        return new Schema(Map.copyOf(messages));
    }

    private static List<List<String>> messagesOf(String group) {
        return text(group)
                .replaceAll("#.*", "")
                .replaceAll("\\n +", " ")
                .lines()
                .filter(line -> !line.isBlank())
                .map(line -> List.of(line.split(" ", -1)))
                .toList();
    }

    private static String text(String group) {
        String file = group + ".txt";
        try (InputStream in = Schema.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is missing beside " + Schema.class.getName());
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** A message that another one names: its own group's, or one that all may use. */
    private static String resolve(Map<String, List<String>> lines, String within, String message) {
        String group = within.substring(0, within.indexOf('/'));
        return Stream.of(group, CORE, META)
                .map(place -> name(place, message))
                .filter(lines::containsKey)
                .findFirst()
                .orElseThrow(() ->
                        new IllegalStateException("schema: " + within + " names " + message + ", which is nowhere"));
    }

    private static String name(String group, String message) {
        return group + "/" + message;
    }

    /** The name of the message that objects of a type, or the items of a list, are written as. */
    public Optional<String> nameOf(TypeMeta type) {
        String kind = type.kind().endsWith(LIST)
                ? type.kind().substring(0, type.kind().length() - LIST.length())
                : type.kind();
        String place = placeOf(type.apiVersion());
        return isStable(type.apiVersion()) || PLACES.contains(place)
                ? Stream.of(name(place, kind), name(META, kind))
                        .filter(messages::containsKey)
                        .findFirst()
                : Optional.empty();
    }

    private static boolean isStable(String apiVersion) {
        return apiVersion.substring(apiVersion.indexOf('/') + 1).equals(VERSION);
    }

    /** The file of the messages of an apiVersion. */
    private static String placeOf(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        if (!isStable(apiVersion)) {
            return apiVersion.replace('/', '.');
        }
        return slash < 0 ? CORE : apiVersion.substring(0, slash);
    }

    /** Whether servers have a protobuf of objects of a type, or of lists of them. */
    public boolean hasProtobuf(TypeMeta type) {
        return nameOf(type).isPresent() && !CUSTOM.contains(placeOf(type.apiVersion()));
    }

    /** The message type of this name; that it exists is the table's own promise. */
    public MessageType message(String name) {
        MessageType type = messages.get(name);
        if (type == null) {
            throw new IllegalArgumentException("schema has no line for " + name);
        }
        return type;
    }

    /**
     * A message as the schema writes it down.
     *
     * @param words its name, then its fields
     * @param names finds the full names of messages that fields hold
     */
    private record SchemaLine(List<String> words, UnaryOperator<String> names) {
        private static final Pattern FIELD = Pattern.compile(
                "(?<inlined>\\+?)(?<name>\\w+)=(?<number>\\d+)(?<count>\\[]|\\{}|)(?<zero>\\??)(:(?<type>\\w+))?");
        private static final Map<String, Scalar> SCALARS = Map.of(
                "int", Scalar.INT,
                "bool", Scalar.BOOL,
                "bytes", Scalar.BYTES,
                "quantity", Scalar.QUANTITY,
                "time", Scalar.TIME,
                "microTime", Scalar.MICRO_TIME,
                "intOrString", Scalar.INT_OR_STRING,
                "texts", Scalar.TEXTS,
                "json", Scalar.JSON);

        /** All others are messages in protobuf, which are there or not. */
        private static final Set<FieldType> PLAIN = Set.of(Scalar.STRING, Scalar.INT, Scalar.BOOL, Scalar.BYTES);

        MessageType message() {
            List<Field> fields = new ArrayList<>();
            List<Field> inlined = new ArrayList<>();
            for (String word : words.subList(1, words.size())) {
                Matcher parts = FIELD.matcher(word);
                if (!parts.matches()) {
                    throw new IllegalStateException("schema: " + words.getFirst() + " has no field: " + word);
                }
                (parts.group("inlined").isEmpty() ? fields : inlined).add(field(parts));
            }
            return MessageType.of(fields, inlined);
        }

        private Field field(Matcher parts) {
            Count count = switch (parts.group("count")) {
                case "[]" -> Count.MANY;
                case "{}" -> Count.MAP;
                default -> Count.ONE;
            };
            FieldType type =
                    Optional.ofNullable(parts.group("type")).map(this::type).orElse(Scalar.STRING);
            return new Field(
                    parts.group("name"),
                    Integer.parseInt(parts.group("number")),
                    count,
                    !parts.group("zero").isEmpty() || !PLAIN.contains(type),
                    type);
        }

        private FieldType type(String name) {
            return SCALARS.containsKey(name) ? SCALARS.get(name) : new Nested(names.apply(name));
        }
    }

    /**
     * A kind of message.
     *
     * @param fields by their names in JSON
     * @param inlined messages of their own that JSON writes into this one, by their numbers
     */
    public record MessageType(Map<String, Field> fields, Map<Integer, Field> numbered, Map<Integer, Field> inlined) {

        static MessageType of(List<Field> fields, List<Field> inlined) {
            return new MessageType(
                    fields.stream().collect(Collectors.toUnmodifiableMap(Field::name, Function.identity())),
                    byNumber(fields),
                    byNumber(inlined));
        }

        public Optional<Field> field(int number) {
            return Optional.ofNullable(numbered.get(number));
        }

        /** The message of its own that is written into this one. */
        public Optional<Field> part(int number) {
            return Optional.ofNullable(inlined.get(number));
        }

        public Collection<Field> parts() {
            return inlined.values();
        }

        private static Map<Integer, Field> byNumber(List<Field> fields) {
            return fields.stream().collect(Collectors.toUnmodifiableMap(Field::number, Function.identity()));
        }
    }

    /** The type of one value of a field. */
    public sealed interface FieldType {

        /** A message, by the name that the schema has it under. */
        record Nested(String message) implements FieldType {}

        /** A single value in JSON, though some of these are messages in protobuf. */
        enum Scalar implements FieldType {
            STRING,
            INT,
            BOOL,
            /** JSON has them in base64. */
            BYTES,
            QUANTITY,
            /** To the second. */
            TIME,
            /** To the microsecond; JSON always writes six digits of it. */
            MICRO_TIME,
            INT_OR_STRING,
            /** A list of strings where a field or a map's entry can only have one value. */
            TEXTS,
            /** Of any form: protobuf holds the very JSON text. */
            JSON
        }
    }

    /**
     * A field of a message.
     *
     * @param name in JSON
     * @param keepsZero whether a zero or an empty text is a value; otherwise it is how clients in Go write that there is none
     */
    public record Field(String name, int number, Count count, boolean keepsZero, FieldType type) {

        /** How many values it has; the entries of a map are messages {@code {1: key, 2: value}}. */
        public enum Count {
            ONE,
            MANY,
            MAP
        }
    }

    /** Takes out of objects what their kinds have no field for, as types of a real server do by reading. */
    public static final class KnownFields {
        private static final String METADATA = "metadata";
        private static final List<String> TYPE = List.of("kind", "apiVersion");

        private final List<String> unknown = new ArrayList<>();

        private KnownFields() {}

        /** Removes the members that a kind does not know, and names them: {@code spec.containers[0].imagex}. */
        public static List<String> removeUnknown(TypeMeta type, JsonObject tree) {
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

    /**
     * Finds the fields of an object in JSON that its kind does not have: those that an API server would
     * drop. Of kinds that the table does not have, nothing is said.
     */
    public static final class UnknownFields {
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
}
