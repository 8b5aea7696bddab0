package io.evenkeel.hollow.encoding;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.evenkeel.schema.FieldType.Scalar;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/** Reads what JSON writes as a single value. */
final class ScalarReader {
    private static final DateTimeFormatter TIMES = format("uuuu-MM-dd'T'HH:mm:ssX");
    private static final DateTimeFormatter MICRO_TIMES = format("uuuu-MM-dd'T'HH:mm:ss.SSSSSSX");

    private ScalarReader() {}

    /** The value, or JSON's null for a time that is none. */
    static JsonElement read(Scalar type, ProtobufInput in) {
        return switch (type) {
            case STRING -> new JsonPrimitive(new String(in.bytes(), UTF_8));
            case INT -> new JsonPrimitive(in.number());
            case BOOL -> new JsonPrimitive(in.number() != 0);
            case BYTES -> new JsonPrimitive(Base64.getEncoder().encodeToString(in.bytes()));
            case QUANTITY -> new JsonPrimitive(Group.of(in).text(1));
            case TIME -> time(Group.of(in), TIMES);
            case MICRO_TIME -> time(Group.of(in), MICRO_TIMES);
            case INT_OR_STRING -> intOrString(Group.of(in));
            case TEXTS -> texts(new ProtobufInput(in.bytes()));
            case JSON -> json(Group.of(in).text(1));
        };
    }

    /** The time of no seconds is none. */
    private static JsonElement time(Group time, DateTimeFormatter format) {
        if (time.number(1) == 0 && time.number(2) == 0) {
            return JsonNull.INSTANCE;
        }
        try {
            return new JsonPrimitive(format.format(Instant.ofEpochSecond(time.number(1), time.number(2))));
        } catch (DateTimeException | ArithmeticException e) {
            throw new MalformedMessageException("a time is out of range");
        }
    }

    private static JsonElement intOrString(Group either) {
        return either.number(1) == 0 ? new JsonPrimitive(either.number(2)) : new JsonPrimitive(either.text(3));
    }

    private static JsonArray texts(ProtobufInput in) {
        JsonArray texts = new JsonArray();
        for (int number = in.next(); number != 0; number = in.next()) {
            if (number == 1) {
                texts.add(new String(in.bytes(), UTF_8));
            } else {
                in.skip();
            }
        }
        return texts;
    }

    private static JsonElement json(String text) {
        try {
            return text.isEmpty() ? JsonNull.INSTANCE : JsonParser.parseString(text);
        } catch (JsonParseException e) {
            throw new MalformedMessageException("a field that holds JSON holds something else");
        }
    }

    private static DateTimeFormatter format(String pattern) {
        return DateTimeFormatter.ofPattern(pattern).withZone(ZoneOffset.UTC);
    }

    /** A message that JSON writes as a single value. */
    private record Group(Map<Integer, Long> numbers, Map<Integer, String> texts) {
        static Group of(ProtobufInput around) {
            Group group = new Group(new HashMap<>(), new HashMap<>());
            ProtobufInput in = new ProtobufInput(around.bytes());
            for (int number = in.next(); number != 0; number = in.next()) {
                if (in.isNumber()) {
                    group.numbers.put(number, in.number());
                } else if (in.isBytes()) {
                    group.texts.put(number, new String(in.bytes(), UTF_8));
                } else {
                    in.skip();
                }
            }
            return group;
        }

        long number(int field) {
            return numbers.getOrDefault(field, 0L);
        }

        String text(int field) {
            return texts.getOrDefault(field, "");
        }
    }
}
