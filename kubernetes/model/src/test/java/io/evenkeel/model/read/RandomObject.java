package io.evenkeel.model.read;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import io.evenkeel.model.Annotations;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Makes random objects after their protobuf descriptors, in both encodings at once. It knows nothing of which fields are
 * read: all are filled in alike.
 */
final class RandomObject {
    private static final List<String> WORDS = List.of("a", "b-1", "zone", "ünïcode", "x/y", "longer-word.example");
    private static final List<String> QUANTITIES = List.of("1", "100m", "2Gi", "1e3", "1500n", "0");
    private static final List<String> ANNOTATIONS =
            Stream.concat(Annotations.ALL.stream().sorted(), Stream.of("a/b")).toList();
    /** Seconds of years that RFC 3339 does not have. */
    private static final List<Long> NO_TIMES = List.of(253_402_300_800L, -62_167_219_201L, 1L << 50, -(1L << 50));

    /** Strings that mean something, and are not counted in a table. */
    private static final Map<String, List<String>> MEANINGFUL = Map.of(
            "Container.restartPolicy", List.of("Always", "Never"),
            "ContainerRestartRule.action", List.of("Restart", "RestartAllContainers"),
            "PodCondition.type",
                    List.of("PodScheduled", "DisruptionTarget", "evenkeel.io/shard", "PodResizePending", "Ready"),
            "Condition.type", List.of("PodGroupInitiallyScheduled", "DisruptionTarget"),
            "PodCondition.reason", List.of("Infeasible", "Unschedulable"));

    private static final Map<String, List<String>> CONSTANTS = constants();

    /** What the API server never leaves out, and readers rely on. */
    private static final Set<String> ALWAYS = required();

    /** Written into the parent in JSON, but a message of its own in protobuf. */
    private static final List<String> INLINED =
            List.of("volumeSource", "persistentVolumeSource", "deviceConfiguration");

    private final RandomGenerator random;
    private final int density;
    private int placesBeforeFault;

    RandomObject(RandomGenerator random) {
        this(random, Integer.MAX_VALUE);
    }

    /**
     * One with a fault after so many places where there could be one: a constant, an amount, a number of 32 bits, a time,
     * a field that must be.
     */
    RandomObject(RandomGenerator random, int placesBeforeFault) {
        this.random = random;
        this.density = 2 + random.nextInt(4);
        this.placesBeforeFault = placesBeforeFault;
    }

    private static Map<String, List<String>> constants() {
        Map<String, List<String>> all = new HashMap<>(MEANINGFUL);
        Descriptors.forEachRow((field, defined) -> {
            if (!field.constants().isEmpty()) {
                List<String> names = new ArrayList<>(new TreeSet<>(field.constants()));
                if (!field.isRequired()) {
                    names.add("");
                }
                all.put(Descriptors.name(defined), names);
            }
        });
        return all;
    }

    private static Set<String> required() {
        Set<String> all = new HashSet<>(Set.of("ObjectMeta.name"));
        Descriptors.forEachRow((field, defined) -> {
            if (field.isRequired()) {
                all.add(Descriptors.name(defined));
            }
        });
        return all;
    }

    /** One object, and its fields as JSON has them. */
    record Both(Message message, Map<String, Object> json) {}

    Both make(Descriptor type, int depth) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
        Map<String, Object> json = new LinkedHashMap<>();
        for (FieldDescriptor field : type.getFields()) {
            boolean top = depth == 0 && List.of("metadata", "spec", "status").contains(field.getName());
            boolean always = ALWAYS.contains(Descriptors.name(field)) && !isFaulty();
            if (top || always || (depth < 9 && random.nextInt(density) == 0)) {
                fill(field, message, json, depth);
            }
        }
        return new Both(message.build(), json);
    }

    private void fill(FieldDescriptor field, DynamicMessage.Builder message, Map<String, Object> json, int depth) {
        if (field.isMapField()) {
            Map<String, Object> entries = new LinkedHashMap<>();
            FieldDescriptor keyField = field.getMessageType().findFieldByNumber(1);
            FieldDescriptor valueField = field.getMessageType().findFieldByNumber(2);
            for (int i = random.nextInt(3); i >= 0; i--) {
                String key = field.getName().equals("annotations") ? pick(ANNOTATIONS) : word();
                if (valueField.getType() == FieldDescriptor.Type.BYTES || entries.containsKey(key)) {
                    continue;
                }
                Object[] value = value(valueField, depth);
                message.addRepeatedField(
                        field,
                        DynamicMessage.newBuilder(field.getMessageType())
                                .setField(keyField, key)
                                .setField(valueField, value[0])
                                .build());
                entries.put(key, value[1]);
            }
            json.put(field.getName(), entries);
        } else if (field.isRepeated()) {
            List<Object> elements = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                Object[] value = value(field, depth);
                message.addRepeatedField(field, value[0]);
                elements.add(value[1]);
            }
            json.put(field.getName(), elements);
        } else if (field.getType() == FieldDescriptor.Type.INT32 && isFaulty()) {
            long tooMuch = pick(List.of(1L << 31, -(1L << 31) - 1, (1L << 32) + 7, Long.MAX_VALUE));
            setNumber(message, field.getNumber(), tooMuch);
            json.put(field.getName(), tooMuch);
        } else {
            Object[] value = value(field, depth);
            message.setField(field, value[0]);
            if (INLINED.contains(field.getName())) {
                ((Map<?, ?>) value[1]).forEach((name, part) -> json.put((String) name, part));
            } else if (!"".equals(value[1])) {
                json.put(field.getName(), value[1]);
            }
        }
    }

    /** Writes what the field's own type cannot hold. */
    private static void setNumber(DynamicMessage.Builder message, int number, long value) {
        message.setUnknownFields(UnknownFieldSet.newBuilder(message.getUnknownFields())
                .addField(
                        number,
                        UnknownFieldSet.Field.newBuilder().addVarint(value).build())
                .build());
    }

    /** A value as protobuf and as JSON has it. */
    private Object[] value(FieldDescriptor field, int depth) {
        return switch (field.getType()) {
            case STRING -> both(text(field));
            case BOOL -> both(random.nextBoolean());
            case INT32 -> both(random.nextInt(-5, 100_000));
            case INT64 -> both(random.nextLong(-5, 1L << 40));
            case BYTES -> new Object[] {ByteString.copyFromUtf8("x"), "eA=="};
            case MESSAGE -> message(field, depth);
            default -> throw new AssertionError(field);
        };
    }

    private Object[] message(FieldDescriptor field, int depth) {
        Descriptor type = field.getMessageType();
        if (type.getName().equals("Quantity")) {
            String amount = isFaulty() ? "much" : pick(QUANTITIES);
            return new Object[] {set(type, "string", amount), amount};
        }
        if (type.getName().equals("Time") || type.getName().equals("MicroTime")) {
            boolean faulty = field.getName().equals("deletionTimestamp") && isFaulty();
            long seconds = faulty ? pick(NO_TIMES) : random.nextLong(1, 4_000_000_000L);
            return new Object[] {
                set(type, "seconds", seconds), Instant.ofEpochSecond(seconds).toString()
            };
        }
        if (type.getName().equals("IntOrString")) {
            boolean isText = random.nextBoolean();
            int number = random.nextInt(0, 200);
            String text = isText && isFaulty() ? "some" : number + "%";
            DynamicMessage message = isText ? set(type, "strVal", text) : set(type, "intVal", number);
            Object json = isText ? text : number;
            return new Object[] {
                message.toBuilder()
                        .setField(type.findFieldByName("type"), isText ? 1L : 0L)
                        .build(),
                json
            };
        }
        if (type.getName().equals("RawExtension")) {
            Map<String, Object> any = Map.of(word(), List.of(word(), 7, Map.of()));
            return new Object[] {set(type, "raw", ByteString.copyFromUtf8(toJson(any))), any};
        }
        Both made = make(type, depth + 1);
        return new Object[] {made.message(), made.json()};
    }

    private static DynamicMessage set(Descriptor type, String field, Object value) {
        return DynamicMessage.newBuilder(type)
                .setField(type.findFieldByName(field), value)
                .build();
    }

    private String text(FieldDescriptor field) {
        List<String> constants = CONSTANTS.getOrDefault(Descriptors.name(field), List.of());
        if (constants.isEmpty()) {
            return pick(WORDS);
        }
        return isFaulty() ? "Nonsense" : pick(constants);
    }

    private boolean isFaulty() {
        placesBeforeFault--;
        return placesBeforeFault == -1;
    }

    private static Object[] both(Object value) {
        return new Object[] {value, value};
    }

    private String word() {
        return pick(WORDS);
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    static String toJson(Object value) {
        return switch (value) {
            case Map<?, ?> map -> {
                List<String> fields = new ArrayList<>();
                map.forEach((key, field) -> fields.add("\"" + key + "\":" + toJson(field)));
                yield "{" + String.join(",", fields) + "}";
            }
            case List<?> list ->
                "[" + String.join(",", list.stream().map(RandomObject::toJson).toList()) + "]";
            case String text -> "\"" + text + "\"";
            default -> value.toString();
        };
    }
}
