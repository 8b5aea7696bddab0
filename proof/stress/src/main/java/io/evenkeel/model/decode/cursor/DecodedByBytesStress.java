package io.evenkeel.model.decode.cursor;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.zip.CRC32C;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * The table of decoded bytes, which threads share without a lock: two messages that belong to the same row are looked up
 * at once, and again afterwards. Each must be decoded to its own value, however the race for the row's places ends.
 */
@JCStressTest
@State
@Outcome(id = "1, 2, 1, 2", expect = ACCEPTABLE, desc = "each its own value")
@Outcome(expect = FORBIDDEN, desc = "another's value, or half of one")
public class DecodedByBytesStress {
    private static final int ROWS = 1 << 10;
    private static final byte[] ONE = message(1);
    private static final byte[] OTHER = inTheSameRow(ONE);

    private record Decoded(int value) {}

    private final DecodedByBytes<Decoded> table = new DecodedByBytes<>(in -> {
        in.next();
        return new Decoded(in.int32() == 1 ? 1 : 2);
    });

    /** A protobuf message of one number. */
    private static byte[] message(int number) {
        return new byte[] {1 << 3, (byte) ((number & 0x7f) | 0x80), (byte) (number >> 7)};
    }

    private static byte[] inTheSameRow(byte[] message) {
        for (int i = 2; ; i++) {
            if (row(message(i)) == row(message)) {
                return message(i);
            }
        }
    }

    private static long row(byte[] message) {
        CRC32C crc = new CRC32C();
        crc.update(message);
        return crc.getValue() & (ROWS - 1);
    }

    private int value(byte[] message) {
        return table.get(message, 0, message.length).value();
    }

    @Actor
    void one(IIII_Result result) {
        result.r1 = value(ONE);
    }

    @Actor
    void other(IIII_Result result) {
        result.r2 = value(OTHER);
    }

    @Arbiter
    void again(IIII_Result result) {
        result.r3 = value(ONE);
        result.r4 = value(OTHER);
    }
}
