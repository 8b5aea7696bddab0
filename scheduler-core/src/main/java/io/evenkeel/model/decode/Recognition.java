package io.evenkeel.model.decode;

import io.evenkeel.model.decode.cursor.DecodedByBytes;
import io.evenkeel.model.decode.cursor.FieldProblem;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.decode.cursor.Projection;
import io.evenkeel.model.decode.cursor.ProtobufCursor;

/**
 * Reads messages of one type whose parts are alike: the fields that do not stand apart are copied together, as far as
 * they are read, and what these bytes mean is decoded once. So two pods of a workload come to the same bytes, although
 * their names, nodes and tokens differ.
 */
final class Recognition<S, T> {
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
