package io.evenkeel.model.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/** Compares with plain BigDecimal arithmetic. Another seed can be given by {@code -Devenkeel.seed}. */
class QuantityPropertyTest {
    private static final long SEED = Long.getLong("evenkeel.seed", 1);
    private static final int ROUNDS = 200_000;
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final Map<String, BigDecimal> SUFFIXES = suffixes();
    private static final List<String> SUFFIX_NAMES =
            SUFFIXES.keySet().stream().sorted().toList();

    private final RandomGenerator random =
            RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);

    private static Map<String, BigDecimal> suffixes() {
        Map<String, BigDecimal> suffixes = new java.util.HashMap<>();
        List<String> decimal = List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");
        for (int i = 0; i < decimal.size(); i++) {
            suffixes.put(decimal.get(i), BigDecimal.ONE.scaleByPowerOfTen(3 * i - 9));
        }
        List<String> binary = List.of("Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
        for (int i = 0; i < binary.size(); i++) {
            suffixes.put(binary.get(i), new BigDecimal(BigInteger.TWO.pow(10 * (i + 1))));
        }
        for (int exponent = -40; exponent <= 40; exponent++) {
            suffixes.put("e" + exponent, BigDecimal.ONE.scaleByPowerOfTen(exponent));
        }
        return suffixes;
    }

    @Test
    void agreesWithBigDecimal() {
        BigDecimal previous = BigDecimal.ZERO;
        Quantity previousQuantity = Quantity.ZERO;
        for (int i = 0; i < ROUNDS; i++) {
            String number = number();
            String suffix = SUFFIX_NAMES.get(random.nextInt(SUFFIX_NAMES.size()));
            BigDecimal expected = limited(new BigDecimal(number).multiply(SUFFIXES.get(suffix)));
            Quantity actual = Quantity.parse(number + suffix);

            String place = number + suffix + " with seed " + SEED;
            assertThat(actual.toBigDecimal()).as(place).isEqualByComparingTo(expected);
            assertThat(actual.value()).as(place).isEqualTo(rounded(expected));
            assertThat(actual.milliValue()).as(place).isEqualTo(rounded(expected.movePointRight(3)));
            assertThat(Quantity.parse(actual.toString())).as(place).isEqualTo(actual);
            assertThat(Integer.signum(actual.compareTo(previousQuantity)))
                    .as(place)
                    .isEqualTo(expected.compareTo(previous));
            previous = expected;
            previousQuantity = actual;
        }
    }

    private String number() {
        StringBuilder text = new StringBuilder(random.nextInt(5) == 0 ? "-" : "");
        int digits = random.nextInt(1, random.nextInt(50) == 0 ? 400 : random.nextBoolean() ? 6 : 24);
        int point = random.nextInt(3) == 0 ? random.nextInt(digits + 1) : -1;
        for (int i = 0; i < digits; i++) {
            text.append(i == point ? "." : "").append(random.nextInt(4) == 0 ? 0 : random.nextInt(10));
        }
        return text.toString();
    }

    private static BigDecimal limited(BigDecimal exact) {
        return exact.setScale(9, RoundingMode.UP).min(LARGEST).max(LARGEST.negate());
    }

    private static long rounded(BigDecimal exact) {
        return exact.setScale(0, RoundingMode.UP)
                .min(LARGEST)
                .max(LARGEST.negate())
                .longValueExact();
    }
}
