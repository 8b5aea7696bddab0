package io.evenkeel.model.decode;

import io.evenkeel.model.decode.Message.Rows;
import io.evenkeel.model.decode.cursor.DecodedByBytes;
import io.evenkeel.model.decode.cursor.FieldProblem;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.decode.cursor.Projection;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import io.evenkeel.model.decode.cursor.SharedValues;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads messages by their tables from protobuf. For one thread: it keeps what it has decoded, to recognise by its bytes
 * what comes again.
 */
public final class ProtobufDecoder {
    private final SharedValues shared;
    private final Map<Message<?>, Recognition<?, ?>> recognitions = new HashMap<>();
    private final Map<Message<?>, DecodedByBytes<?>> wholes = new HashMap<>();

    public ProtobufDecoder() {
        this(new SharedValues());
    }

    /**
     * @param shared may be that of other threads
     */
    public ProtobufDecoder(SharedValues shared) {
        this.shared = shared;
    }

    SharedValues shared() {
        return shared;
    }

    /** Reads the message that the cursor's value is. */
    <T> T read(Message<T> message, ProtobufCursor in) {
        if (message.parts() != null) {
            return recognition(message, message.parts()).read(in);
        }
        return message.isShared() ? in.decoded(decoded(message)) : decode(message, in.message());
    }

    /** Reads the message; the cursor stands before its first field. */
    public <T> T decode(Message<T> message, ProtobufCursor in) {
        return message.make(values(message, in));
    }

    public Values values(Message<?> message, ProtobufCursor in) {
        Values values = message.newValues();
        read(message, in, values);
        return values;
    }

    /** Reads the fields of the message; what went before a problem is in the values. */
    public void read(Message<?> message, ProtobufCursor in, Values values) {
        try {
            readFields(message.rows(), message, in, values);
        } finally {
            finish(message, values);
        }
    }

    private void readFields(Rows rows, Message<?> message, ProtobufCursor in, Values values) {
        try {
            while (in.next()) {
                Field<?> field = rows.numbered(in.field());
                if (field != null) {
                    readField(field, in, values);
                } else if (in.field() == rows.inlinedNumber()) {
                    readFields(message.inlined(), message, in.message(), values);
                }
            }
        } catch (FieldProblem problem) {
            throw problem.within(place(rows, in));
        } catch (ObjectReadException malformed) {
            throw new FieldProblem(place(rows, in), String.valueOf(malformed.getMessage()));
        }
    }

    void readField(Field<?> field, ProtobufCursor in, Values values) {
        int index = field.index();
        values.set(index, field.type().protobuf(in, this, values.at(index)));
    }

    void finish(Message<?> message, Values values) {
        for (Field<?> field : message.gathered()) {
            Object gathered = values.at(field.index());
            if (gathered != null) {
                values.set(field.index(), field.type().finish(gathered, shared));
            }
        }
    }

    /** As a path has it: nothing for what has no name in JSON. */
    private static String place(Rows rows, ProtobufCursor in) {
        Field<?> field = rows.numbered(in.field());
        if (field == null) {
            return "";
        }
        return field.type().isList() ? field.name() + "[" + in.countBefore() + "]" : field.name();
    }

    /** Looked up before it is made: this is on the way of every pod, and a function to make it would be an object. */
    @SuppressWarnings("unchecked") // what is kept for a message is of its own type
    private <S, T> Recognition<S, T> recognition(Message<T> message, Parts<S, T> parts) {
        Recognition<?, ?> known = recognitions.get(message);
        if (known == null) {
            known = new Recognition<>(message, parts, this);
            recognitions.put(message, known);
        }
        return (Recognition<S, T>) known;
    }

    @SuppressWarnings("unchecked") // what is kept for a message is of its own type
    private <T> DecodedByBytes<T> decoded(Message<T> message) {
        DecodedByBytes<?> known = wholes.get(message);
        if (known == null) {
            known = new DecodedByBytes<>(in -> decode(message, in));
            wholes.put(message, known);
        }
        return (DecodedByBytes<T>) known;
    }

    /**
     * Reads messages of one type whose parts are alike: the fields that do not stand apart are copied together, as far as
     * they are read, and what these bytes mean is decoded once. So two pods of a workload come to the same bytes, although
     * their names, nodes and tokens differ.
     */
    private static final class Recognition<S, T> {
        private final Message<T> message;
        private final Parts<S, T> parts;
        private final ProtobufDecoder decoder;
        private final DecodedByBytes<S> alike;
        private final Projection projection = new Projection();
        private final Values apart;

        Recognition(Message<T> message, Parts<S, T> parts, ProtobufDecoder decoder) {
            this.message = message;
            this.parts = parts;
            this.decoder = decoder;
            this.apart = message.newValues();
            this.alike = new DecodedByBytes<>(in -> parts.alike().apply(decoder.values(message, in)));
        }

        /** The value of the message that the cursor's value is. */
        T read(ProtobufCursor in) {
            try {
                separate(in.message());
                return parts.whole().apply(projection.decoded(alike), apart);
            } catch (FieldProblem | ObjectReadException somewhere) {
                // read as it stands, a problem has its true path and place
                return parts.make(decoder.values(message, in.message()));
            } finally {
                apart.clear();
                projection.clear();
            }
        }

        private void separate(ProtobufCursor in) {
            Rows rows = message.rows();
            while (in.next()) {
                Field<?> field = rows.numbered(in.field());
                if (field == null) {
                    continue;
                }
                if (field.isApart()) {
                    decoder.readField(field, in, apart);
                } else {
                    field.project(in, projection);
                }
            }
            decoder.finish(message, apart);
        }
    }
}
