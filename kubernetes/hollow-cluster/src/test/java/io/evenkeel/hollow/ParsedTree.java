package io.evenkeel.hollow;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;

/** What a message says, as JSON says it. */
final class ParsedTree {
    /** Messages of their own in protobuf, whose fields JSON writes into the one around. */
    static final List<String> PARTS = List.of(
            "volumeSource",
            "persistentVolumeSource",
            "ephemeralContainerCommon",
            "handler",
            "localObjectReference",
            "deviceConfiguration");

    private ParsedTree() {}

    static JsonObject of(Message message) {
        assertThatAllIsKnown(message);
        JsonObject tree = new JsonObject();
        message.getAllFields().forEach((field, value) -> {
            if (PARTS.contains(field.getName())) {
                of((Message) value).asMap().forEach(tree::add);
            } else {
                tree.add(field.getName(), field(field, value));
            }
        });
        return tree;
    }

    private static void assertThatAllIsKnown(Message message) {
        if (!message.getUnknownFields().asMap().isEmpty()) {
            throw new AssertionError(
                    message.getDescriptorForType().getName() + ": unknown fields " + message.getUnknownFields());
        }
    }

    private static JsonElement field(FieldDescriptor field, Object value) {
        if (field.isMapField()) {
            JsonObject entries = new JsonObject();
            FieldDescriptor key = field.getMessageType().findFieldByNumber(1);
            FieldDescriptor entryValue = field.getMessageType().findFieldByNumber(2);
            ((List<?>) value)
                    .forEach(entry -> entries.add(
                            (String) ((Message) entry).getField(key), value(((Message) entry).getField(entryValue))));
            return entries;
        }
        if (field.isRepeated()) {
            JsonArray elements = new JsonArray();
            ((List<?>) value).forEach(element -> elements.add(value(element)));
            return elements;
        }
        return value(value);
    }

    private static JsonElement value(Object value) {
        return switch (value) {
            case String text -> new JsonPrimitive(text);
            case Boolean truth -> new JsonPrimitive(truth);
            case ByteString bytes -> new JsonPrimitive(Base64.getEncoder().encodeToString(bytes.toByteArray()));
            case Number number -> new JsonPrimitive(number.longValue());
            case Message message -> message(message);
            default -> throw new AssertionError(value);
        };
    }

    private static JsonElement message(Message message) {
        return switch (message.getDescriptorForType().getName()) {
            case "Quantity" -> new JsonPrimitive((String) get(message, "string"));
            case "Time" ->
                new JsonPrimitive(
                        Instant.ofEpochSecond((long) get(message, "seconds")).toString());
            case "MicroTime" ->
                new JsonPrimitive(microTime((long) get(message, "seconds"), (int) get(message, "nanos")));
            case "IntOrString" ->
                (long) get(message, "type") == 0
                        ? new JsonPrimitive((long) (int) get(message, "intVal"))
                        : new JsonPrimitive((String) get(message, "strVal"));
            case "FieldsV1" -> JsonParser.parseString(((ByteString) get(message, "Raw")).toStringUtf8());
            case "RawExtension" -> JsonParser.parseString(((ByteString) get(message, "raw")).toStringUtf8());
            case "ExtraValue" -> {
                JsonArray texts = new JsonArray();
                ((List<?>) get(message, "items")).forEach(text -> texts.add((String) text));
                yield texts;
            }
            default -> of(message);
        };
    }

    static String microTime(long seconds, long nanos) {
        return DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSX")
                .withZone(ZoneOffset.UTC)
                .format(Instant.ofEpochSecond(seconds, nanos));
    }

    private static Object get(Message message, String field) {
        return message.getField(message.getDescriptorForType().findFieldByName(field));
    }
}
