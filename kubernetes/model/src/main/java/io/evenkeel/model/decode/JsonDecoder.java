package io.evenkeel.model.decode;

import io.evenkeel.model.decode.cursor.FieldProblem;
import io.evenkeel.model.decode.cursor.JsonCursor;

/** Reads messages by their tables from JSON. */
public final class JsonDecoder {
    private JsonDecoder() {}

    static <T> T read(Message<T> message, JsonCursor in) {
        Values values = message.newValues();
        read(message, in, values);
        try {
            return message.make(values);
        } catch (FieldProblem problem) {
            throw problem.within(in.path());
        }
    }

    /** Reads the fields of the object that the cursor stands on; what went before a problem is in the values. */
    public static void read(Message<?> message, JsonCursor in, Values values) {
        in.enterObject();
        while (in.nextField()) {
            readField(message, in, values);
        }
    }

    /** Reads the field that the cursor stands on, or steps over it. */
    public static void readField(Message<?> message, JsonCursor in, Values values) {
        Field<?> field = message.named(in.field());
        if (field == null) {
            in.skip();
        } else {
            values.set(field.index(), field.type().json(in));
        }
    }
}
