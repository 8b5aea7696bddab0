package io.evenkeel.model.decode;

import io.evenkeel.model.decode.cursor.ProtobufCursor;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;

/** Tells by one string which elements of a list are worth decoding. */
final class Discriminator {
    static final Discriminator NONE = new Discriminator(0, List.of());

    private final int number;
    private final byte[][] values;

    Discriminator(int number, Collection<String> values) {
        this.number = number;
        this.values = values.stream()
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
    }

    boolean passesOver(ProtobufCursor element) {
        if (number == 0) {
            return false;
        }
        boolean counts = false;
        ProtobufCursor in = element.message();
        while (in.next()) {
            if (in.field() == number) {
                counts = isOne(in);
            }
        }
        return !counts;
    }

    private boolean isOne(ProtobufCursor in) {
        for (byte[] value : values) {
            if (in.is(value)) {
                return true;
            }
        }
        return false;
    }
}
