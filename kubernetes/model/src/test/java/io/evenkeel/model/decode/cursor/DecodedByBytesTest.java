package io.evenkeel.model.decode.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class DecodedByBytesTest {
    private static final int EACH = 8_000;
    private static final int FITTING = (1 << 20) / EACH;

    private int decoded;
    private final DecodedByBytes<Object> known = new DecodedByBytes<>(_ -> {
        decoded++;
        return new Object();
    });

    @Test
    void equalBytesAreDecodedOnce() {
        Object first = get(1);

        assertThat(get(1)).isSameAs(first);
        assertThat(decoded).isOne();
    }

    /** Whoever makes thousands of objects, each another and as large as may be, does not make it grow. */
    @Test
    void itKeepsNoMoreBytesThanItMay() {
        for (int i = 0; i < 1_000; i++) {
            get(i);
        }
        assertThat(decoded).isEqualTo(1_000);
        for (int i = 999; i >= 0; i--) {
            get(i);
        }
        assertThat(decoded).isBetween(2_000 - FITTING, 1_999);
    }

    private Object get(int number) {
        return known.get(ByteBuffer.allocate(EACH).putInt(number).array(), 0, EACH);
    }
}
