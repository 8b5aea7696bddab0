package io.evenkeel.model.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.evenkeel.model.Node;
import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.json.Trees;
import io.kubernetes.client.proto.V1;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Recognised is what decodes to an equal node, but for the version and the times, and nothing else. */
class HeartbeatsTest {
    private static final int NODES = 1_000;
    private static final int CHANGES = 5;

    private final SplittableRandom random = new SplittableRandom(1);
    private final Heartbeats heartbeats = new Heartbeats(random.split());
    private int recognised;
    private int other;

    @Test
    void inProtobuf() throws Exception {
        for (int i = 0; i < NODES; i++) {
            Message before = versioned(new RandomObject(random.split())
                    .make(V1.Node.getDescriptor(), 0)
                    .message());
            heartbeats.clear();
            assertThat(recognise(before)).as("unknown").isFalse();
            for (int j = 0; j < CHANGES; j++) {
                Message after = before;
                if (random.nextInt(4) > 0) {
                    after = beaten(after);
                }
                if (random.nextInt(3) == 0) {
                    after = changed(after);
                }
                check(recognise(after), rest(after).equals(rest(before)) && hasVersion(after), before + "\n" + after);
                assertSchedulesLike(before, after);
                before = after;
            }
        }
        assertThat(recognised).isGreaterThan(NODES);
        assertThat(other).isGreaterThan(NODES);
    }

    private boolean wasRecognised;

    private void check(boolean actual, boolean expected, String what) {
        assertThat(actual).as(what).isEqualTo(expected);
        wasRecognised = actual;
        recognised += actual ? 1 : 0;
        other += actual ? 0 : 1;
    }

    private boolean recognise(Message node) {
        return heartbeats.recognise(object(node));
    }

    private static ProtobufObject object(Message node) {
        byte[] bytes = node.toByteArray();
        return ProtobufObject.item("v1", "Node", bytes, 0, bytes.length);
    }

    private void assertSchedulesLike(Message before, Message after) {
        if (wasRecognised) {
            ProtobufReader reader = new ProtobufReader();
            Node now;
            try {
                now = (Node) reader.read(object(after));
            } catch (ObjectReadException illegible) {
                return;
            }
            assertThat(now.schedulesLike((Node) reader.read(object(before)))).isTrue();
            assertThat(heartbeats.version()).isEqualTo(now.meta().resourceVersion());
        }
    }

    private static FieldDescriptor field(Message of, String name) {
        return of.getDescriptorForType().findFieldByName(name);
    }

    private static Message part(Message of, String name) {
        return (Message) of.getField(field(of, name));
    }

    private static boolean hasVersion(Message node) {
        Message metadata = part(node, "metadata");
        return !metadata.getField(field(metadata, "resourceVersion")).equals("")
                && !metadata.getField(field(metadata, "name")).equals("");
    }

    private static Message with(Message of, String name, Object value) {
        return of.toBuilder().setField(field(of, name), value).build();
    }

    private Message versioned(Message node) {
        return with(node, "metadata", with(part(node, "metadata"), "resourceVersion", version()));
    }

    private String version() {
        return Integer.toString(random.nextInt(1, 2_000));
    }

    /** With another version, and other times where such are. */
    private Message beaten(Message node) {
        Message metadata = part(versioned(node), "metadata");
        Message status = part(node, "status");
        return with(
                with(node, "metadata", eachWith(metadata, "managedFields", "time")),
                "status",
                eachWith(status, "conditions", "lastHeartbeatTime"));
    }

    private Message eachWith(Message of, String list, String time) {
        Message.Builder changed = of.toBuilder();
        FieldDescriptor field = field(of, list);
        for (int i = 0; i < of.getRepeatedFieldCount(field); i++) {
            Message element = (Message) of.getRepeatedField(field, i);
            Message.Builder next = element.toBuilder();
            FieldDescriptor when = field(element, time);
            next.clearField(when);
            if (random.nextInt(5) > 0) {
                Message.Builder moment = DynamicMessage.newBuilder(when.getMessageType());
                moment.setField(
                        when.getMessageType().findFieldByName("seconds"),
                        random.nextLong(0, 1L << random.nextInt(1, 35)));
                next.setField(when, moment.build());
            }
            changed.setRepeatedField(field, i, next.build());
        }
        return changed.build();
    }

    /** Without what a heartbeat changes. */
    private static Message rest(Message node) {
        return with(
                with(
                        node,
                        "metadata",
                        without(eachWithout(part(node, "metadata"), "managedFields", "time"), "resourceVersion")),
                "status",
                eachWithout(part(node, "status"), "conditions", "lastHeartbeatTime"));
    }

    private static Message eachWithout(Message of, String list, String name) {
        Message.Builder rest = of.toBuilder();
        FieldDescriptor field = field(of, list);
        for (int i = 0; i < of.getRepeatedFieldCount(field); i++) {
            rest.setRepeatedField(field, i, without((Message) of.getRepeatedField(field, i), name));
        }
        return rest.build();
    }

    private static Message without(Message of, String name) {
        return of.toBuilder().clearField(field(of, name)).build();
    }

    /** Changed in one place, wherever that is. */
    private Message changed(Message of) {
        List<FieldDescriptor> there = new ArrayList<>(of.getAllFields().keySet());
        if (there.isEmpty()) {
            return of;
        }
        FieldDescriptor field = there.get(random.nextInt(there.size()));
        Message.Builder changed = of.toBuilder();
        if (random.nextInt(10) == 0 && !of.getDescriptorForType().equals(V1.Node.getDescriptor())) {
            return changed.clearField(field).build();
        }
        if (field.isRepeated()) {
            int i = random.nextInt(of.getRepeatedFieldCount(field));
            return changed.setRepeatedField(field, i, other(of.getRepeatedField(field, i)))
                    .build();
        }
        return changed.setField(field, other(of.getField(field))).build();
    }

    private Object other(Object value) {
        return switch (value) {
            case Message message -> changed(message);
            case String text -> random.nextBoolean() ? text + "x" : "y" + text;
            case Boolean flag -> !flag;
            case Integer number -> number + 1;
            case Long number -> number + 1;
            default -> value;
        };
    }

    @Test
    void inJson() throws Exception {
        for (int i = 0; i < NODES; i++) {
            Map<String, Object> drawn = new RandomObject(random.split())
                    .make(V1.Node.getDescriptor(), 0)
                    .json();
            JsonObject before = Trees.parse(RandomObject.toJson(drawn));
            before.getAsJsonObject("metadata").addProperty("resourceVersion", version());
            heartbeats.clear();
            assertThat(recognise(before)).as("unknown").isFalse();
            for (int j = 0; j < CHANGES; j++) {
                JsonObject after = before.deepCopy();
                if (random.nextInt(4) > 0) {
                    beat(after);
                }
                if (random.nextInt(3) == 0) {
                    change(after);
                }
                check(recognise(after), rest(after).equals(rest(before)) && hasVersion(after), before + "\n" + after);
                if (wasRecognised) {
                    assertThat(heartbeats.version()).isEqualTo(Trees.text(after, "metadata", "resourceVersion"));
                }
                before = after;
            }
        }
        assertThat(recognised).isGreaterThan(NODES);
        assertThat(other).isGreaterThan(NODES);
    }

    private boolean recognise(JsonObject node) throws IOException {
        try (JsonParser parser = JsonCursor.PARSERS.createParser(node.toString())) {
            parser.nextToken();
            return heartbeats.recognise(parser);
        }
    }

    private static boolean hasVersion(JsonObject node) {
        return !Trees.text(node, "metadata", "resourceVersion").isEmpty()
                && !Trees.text(node, "metadata", "name").isEmpty();
    }

    private void beat(JsonObject node) {
        eachHole(
                node,
                text -> version()
                        + text.getAsString().substring(0, text.getAsString().length() / 2));
    }

    private static JsonObject rest(JsonObject node) {
        JsonObject rest = node.deepCopy();
        eachHole(rest, _ -> "");
        return rest;
    }

    private interface Filling {
        String of(JsonPrimitive before);
    }

    private static void eachHole(JsonObject node, Filling filling) {
        fill(node.get("metadata"), "resourceVersion", filling);
        if (node.get("metadata") instanceof JsonObject metadata) {
            fillAll(metadata.get("managedFields"), "time", filling);
        }
        if (node.get("status") instanceof JsonObject status) {
            fillAll(status.get("conditions"), "lastHeartbeatTime", filling);
        }
    }

    private static void fillAll(JsonElement list, String member, Filling filling) {
        if (list instanceof JsonArray elements) {
            elements.forEach(element -> fill(element, member, filling));
        }
    }

    private static void fill(JsonElement in, String member, Filling filling) {
        if (in instanceof JsonObject object && object.get(member) instanceof JsonPrimitive text && text.isString()) {
            object.addProperty(member, filling.of(text));
        }
    }

    private void change(JsonElement tree) {
        if (tree instanceof JsonArray list && !list.isEmpty()) {
            int i = random.nextInt(list.size());
            change(list.get(i), other -> {
                list.set(i, other);
                return true;
            });
        } else if (tree instanceof JsonObject object && !object.isEmpty()) {
            List<String> members = new ArrayList<>(object.keySet());
            String member = members.get(random.nextInt(members.size()));
            if (random.nextInt(10) == 0) {
                object.remove(member);
            } else if (random.nextInt(10) == 0) {
                Map<String, JsonElement> values = new LinkedHashMap<>(object.asMap());
                object.asMap().clear();
                values.forEach((name, value) -> object.add(name.equals(member) ? name + "x" : name, value));
            } else {
                change(object.get(member), other -> {
                    object.add(member, other);
                    return true;
                });
            }
        }
    }

    private void change(JsonElement value, Predicate<JsonElement> put) {
        if (value instanceof JsonPrimitive simple) {
            assertThat(put.test(other(simple))).isTrue();
        } else {
            change(value);
        }
    }

    private static JsonPrimitive other(JsonPrimitive simple) {
        if (simple.isBoolean()) {
            return new JsonPrimitive(!simple.getAsBoolean());
        }
        return simple.isNumber()
                ? new JsonPrimitive(simple.getAsLong() + 1)
                : new JsonPrimitive(simple.getAsString() + "x\"");
    }

    @Test
    void whatCannotBeReadIsNotRecognised() throws IOException {
        byte[] broken = {0x0a, 0x7f, 1};
        for (int i = 0; i < 2; i++) {
            assertThat(heartbeats.recognise(ProtobufObject.item("v1", "Node", broken, 0, broken.length)))
                    .isFalse();
            assertThat(recognise(new JsonObject())).isFalse();
        }
    }

    @Test
    void whatWasForgottenIsNotRecognised() throws IOException {
        JsonObject node = Trees.parse("{\"metadata\":{\"name\":\"n1\",\"resourceVersion\":\"7\"}}");
        assertThat(recognise(node)).isFalse();
        assertThat(recognise(node)).isTrue();

        heartbeats.forget("n1");

        assertThat(recognise(node)).isFalse();
    }
}
