package io.evenkeel.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.evenkeel.model.value.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Against the grammar of apimachinery's documentation, and plain decimal arithmetic. */
class QuantityFuzzTest {
    private static final Pattern GRAMMAR = Pattern.compile(
            "(?<number>[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+))(?:(?<suffix>[numkMGTPE]|[KMGTPE]i|)|[eE](?<exponent>[+-]?[0-9]+))");
    private static final Map<String, Integer> TENS =
            Map.of("n", -9, "u", -6, "m", -3, "", 0, "k", 3, "M", 6, "G", 9, "T", 12, "P", 15, "E", 18);
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

    /** Beyond, plain arithmetic would write out as many digits; every amount is one of the extremes there. */
    private static final int MOST_EXPONENT = 10_000;

    @FuzzTest
    @DictionaryEntries({"Ki", "Ei", "e-", "E+", "1.5", "9223372036854775807"})
    void aQuantityIsWhatTheGrammarSaysAndNothingElseIsOne(byte[] bytes) throws Throwable {
        String text = new String(bytes, StandardCharsets.UTF_8);
        Cost.isAtMost(100, bytes.length, () -> check(text));
    }

    private static void check(String text) {
        Matcher parts = GRAMMAR.matcher(text);
        if (!parts.matches() || hasExponentBeyondInt(parts)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Quantity.parse(text))
                    .withMessage("\"" + text + "\" is not a quantity");
            return;
        }
        Quantity quantity = Quantity.parse(text);
        assertThat(Quantity.parse(quantity.toString())).isEqualTo(quantity);
        if (text.length() < 2_000 && exponent(parts).abs().intValue() < MOST_EXPONENT) {
            BigDecimal expected = amount(parts);
            assertThat(quantity).isEqualTo(Quantity.parse(expected.toPlainString()));
            assertThat(quantity.value()).isEqualTo(rounded(expected));
            assertThat(quantity.milliValue()).isEqualTo(rounded(expected.movePointRight(3)));
            assertThat(quantity.signum()).isEqualTo(expected.signum());
        }
    }

    private static boolean hasExponentBeyondInt(Matcher parts) {
        return exponent(parts).bitLength() > 31;
    }

    private static BigInteger exponent(Matcher parts) {
        String written = parts.group("exponent");
        return written == null ? BigInteger.ZERO : new BigInteger(written);
    }

    private static BigDecimal amount(Matcher parts) {
        BigDecimal number = new BigDecimal(parts.group("number"));
        String suffix = parts.group("suffix");
        BigDecimal exact;
        if (suffix == null) {
            exact = number.scaleByPowerOfTen(exponent(parts).intValue());
        } else if (suffix.endsWith("i")) {
            exact = number.multiply(new BigDecimal(BigInteger.TWO.pow(10 * (1 + "KMGTPE".indexOf(suffix.charAt(0))))));
        } else {
            exact = number.scaleByPowerOfTen(TENS.get(suffix));
        }
        return exact.setScale(9, RoundingMode.UP).min(LARGEST).max(LARGEST.negate());
    }

    private static long rounded(BigDecimal exact) {
        return exact.setScale(0, RoundingMode.UP)
                .min(LARGEST)
                .max(LARGEST.negate())
                .longValueExact();
    }
}
