package io.evenkeel.model.decode.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.decode.cursor.Projection.Checksum;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The checksum is the polynomial, as slow arithmetic has it. */
class ChecksumTest {
    private static final BigInteger PRIME = BigInteger.TWO.pow(61).subtract(BigInteger.ONE);

    @Test
    void isThePolynomialOfTheBytes() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 2_000; i++) {
            long seed = random.nextLong();
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            if (random.nextInt(4) == 0) {
                Arrays.fill(bytes, (byte) random.nextInt(-1, 1));
            }
            Projection projection = new Projection();
            projection.add(bytes, 0, bytes.length);

            long checked = projection.checked(new Checksum(new SplittableRandom(seed)));

            BigInteger point = BigInteger.valueOf(new SplittableRandom(seed).nextLong(PRIME.longValueExact()));
            assertThat(BigInteger.valueOf(checked)).isEqualTo(polynomial(bytes, point));
        }
    }

    private static BigInteger polynomial(byte[] bytes, BigInteger point) {
        BigInteger sum = BigInteger.valueOf(bytes.length);
        for (int i = 0; i < bytes.length; i += 7) {
            BigInteger word = BigInteger.ZERO;
            for (int j = Math.min(i + 7, bytes.length) - 1; j >= i; j--) {
                word = word.shiftLeft(8).add(BigInteger.valueOf(bytes[j] & 0xff));
            }
            sum = sum.multiply(point).add(word).mod(PRIME);
        }
        return sum;
    }
}
