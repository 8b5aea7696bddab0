package io.evenkeel.hollow;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.random.RandomGenerator;

/** Makes random objects as JSON has them, of all fields that the published protobuf descriptors know. */
final class RandomTree {
    static final List<String> WORDS = List.of("a", "", "zone", "ünïcode", "x/y", "w".repeat(200));
    private static final List<String> QUANTITIES = List.of("1", "100m", "2Gi", "1e3", "0");

    private final RandomGenerator random;
    private final List<String> words;
    private final boolean zeros;
    private final int density;

    RandomTree(RandomGenerator random) {
        this(random, WORDS, true);
    }

    private RandomTree(RandomGenerator random, List<String> words, boolean zeros) {
        this.random = random;
        this.words = words;
        this.zeros = zeros;
        this.density = 2 + random.nextInt(4);
    }

    /** Objects without any zero, false or empty text, which a reader may take for nothing. */
    static RandomTree withoutZeros(RandomGenerator random) {
        return new RandomTree(
                random, WORDS.stream().filter(word -> !word.isEmpty()).toList(), false);
    }

    JsonObject make(Descriptor type) {
        return make(type, 0);
    }

    private JsonObject make(Descriptor type, int depth) {
        JsonObject tree = new JsonObject();
        for (FieldDescriptor field : type.getFields()) {
            boolean isPart = ParsedTree.PARTS.contains(field.getName());
            if (isPart) {
                make(field.getMessageType(), depth + 1).asMap().forEach(tree::add);
            } else if (depth == 0 || random.nextInt(density) == 0) {
                tree.add(field.getName(), field(field, depth));
            }
        }
        return tree;
    }

    private JsonElement field(FieldDescriptor field, int depth) {
        if (field.isMapField()) {
            JsonObject entries = new JsonObject();
            FieldDescriptor value = field.getMessageType().findFieldByNumber(2);
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                entries.add("key" + i, value(value, depth));
            }
            return entries;
        }
        if (field.isRepeated()) {
            JsonArray elements = new JsonArray();
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                elements.add(value(field, depth));
            }
            return elements;
        }
        return value(field, depth);
    }

    private JsonElement value(FieldDescriptor field, int depth) {
        return switch (field.getType()) {
            case STRING -> new JsonPrimitive(pick(words));
            case BYTES ->
                new JsonPrimitive(Base64.getEncoder().encodeToString(pick(words).getBytes(UTF_8)));
            case BOOL -> new JsonPrimitive(!zeros || random.nextBoolean());
            case INT32 -> new JsonPrimitive((long) random.nextInt());
            case INT64 -> new JsonPrimitive(random.nextLong());
            case MESSAGE -> message(field.getMessageType(), depth);
            default -> throw new AssertionError(field);
        };
    }

    private JsonElement message(Descriptor type, int depth) {
        return switch (type.getName()) {
            case "Quantity" -> new JsonPrimitive(pick(QUANTITIES));
            case "Time" -> new JsonPrimitive(Instant.ofEpochSecond(seconds()).toString());
            case "MicroTime" -> new JsonPrimitive(ParsedTree.microTime(seconds(), random.nextInt(1_000_000) * 1000L));
            case "IntOrString" ->
                random.nextBoolean() ? new JsonPrimitive((long) random.nextInt()) : new JsonPrimitive(pick(words));
            case "ExtraValue" -> {
                JsonArray texts = new JsonArray();
                texts.add(pick(words));
                texts.add(pick(words));
                yield texts;
            }
            case "FieldsV1", "RawExtension" -> {
                JsonObject fields = new JsonObject();
                fields.add("f:" + pick(words), new JsonObject());
                yield fields;
            }
            default -> make(type, depth + 1);
        };
    }

    private long seconds() {
        return random.nextLong(1, 4_000_000_000L);
    }

    private String pick(List<String> from) {
        return from.get(random.nextInt(from.size()));
    }
}
