package io.evenkeel.model.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {

    /** In a time that grows with its square, such an amount, which fits in an object of etcd, took minutes. */
    @ParameterizedTest
    @ValueSource(strings = {"", "m", "Ei", "e-999999"})
    void anAmountOfAMillionDigitsHoldsNobodyUp(String suffix) {
        String digits = "9".repeat(1_000_000);
        assertThat(Quantity.parse(digits + suffix).value()).isPositive();
        assertThat(Quantity.parse("0." + digits + suffix).value()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({
        "0,             0,                    0",
        "-0,            0,                    0",
        "1,             1,                    1000",
        "007,           7,                    7000",
        "+2,            2,                    2000",
        "-2,            -2,                   -2000",
        "100m,          1,                    100",
        "-100m,         -1,                   -100",
        "1500m,         2,                    1500",
        "0.1,           1,                    100",
        ".5,            1,                    500",
        "5.,            5,                    5000",
        "1u,            1,                    1",
        "1n,            1,                    1",
        "0.1n,          1,                    1",
        "1001u,         1,                    2",
        "-1001u,        -1,                   -2",
        "-.484785E-7466, -1,                  -1",
        "1k,            1000,                 1000000",
        "1M,            1000000,              1000000000",
        "1.5G,          1500000000,           1500000000000",
        "1T,            1000000000000,        1000000000000000",
        "1P,            1000000000000000,     1000000000000000000",
        "1E,            1000000000000000000,  9223372036854775807",
        "1e3,           1000,                 1000000",
        "1E3,           1000,                 1000000",
        "1e-3,          1,                    1",
        "1.25e+2,       125,                  125000",
        "1Ki,           1024,                 1024000",
        "1.5Mi,         1572864,              1572864000",
        "0.3Ki,         308,                  307200",
        "2Gi,           2147483648,           2147483648000",
        "1Ti,           1099511627776,        1099511627776000",
        "1Pi,           1125899906842624,     1125899906842624000",
        "7Ei,           8070450532247928832,  9223372036854775807",
        "-7Ei,          -8070450532247928832, -9223372036854775807",
    })
    void valuesRoundAwayFromZeroToUnitsAndThousandths(String text, long value, long milli) {
        Quantity quantity = Quantity.parse(text);

        assertThat(quantity.value()).isEqualTo(value);
        assertThat(quantity.milliValue()).isEqualTo(milli);
        assertThat(quantity.signum()).isEqualTo(Long.signum(value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"8Ei", "9223372036854775808", "10E", "1e19", "1e400000000", "9223372036854775807.5"})
    void whatIsTooLargeIsCapped(String text) {
        assertThat(Quantity.parse(text)).isEqualTo(Quantity.of(Long.MAX_VALUE));
        assertThat(Quantity.parse("-" + text)).isEqualTo(Quantity.of(-Long.MAX_VALUE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e-400000000", "1e-30", "0.0000000000000000000000001", "0.0000000000000000000001Ki"})
    void whatIsTooSmallIsABillionth(String text) {
        assertThat(Quantity.parse(text)).isEqualTo(Quantity.parse("1n"));
        assertThat(Quantity.parse("-" + text)).isEqualTo(Quantity.parse("-1n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0.000", "0e99999999", "0Ei", "-0n", ".0"})
    void zeroIsZeroInEveryNotation(String text) {
        assertThat(Quantity.parse(text)).isEqualTo(Quantity.ZERO);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "abc",
                "-",
                ".",
                "Ki",
                "1.1.M",
                "1+1.0M",
                "0.1mi",
                "0.1am",
                "1i",
                "1e",
                "1e+",
                "1E+",
                "1e1.5",
                "1e٣",
                "1Kii",
                "1 ",
                " 1",
                "1K",
                "1ki",
                "1Mb",
                "1,5",
                "--1",
                "1e4294967297",
                "1e99999999999"
            })
    void whatIsNoQuantityIsNamedInTheError(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantity.parse(text))
                .withMessage("\"" + text + "\" is not a quantity");
    }

    @Test
    void equalAmountsAreEqualWhateverTheirNotation() {
        assertThat(Quantity.parse("1"))
                .isEqualTo(Quantity.parse("1000m"))
                .isEqualTo(Quantity.parse("1e0"))
                .isEqualTo(Quantity.ofMilli(1000))
                .hasSameHashCodeAs(Quantity.of(1));
        assertThat(Quantity.parse("1Gi")).isEqualTo(Quantity.parse("1024Mi"));
    }

    @ParameterizedTest
    @CsvSource({
        "1Gi, 1Gi",
        "1536Mi, 1536Mi",
        "1k, 1000",
        "0, 0",
        "0.5, 500m",
        "-1.5, -1500m",
        "1.0000001, 1000000100n",
        "0.000001, 1u"
    })
    void printsReadably(String text, String expected) {
        assertThat(Quantity.parse(text)).hasToString(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "1Gi, 1Gi",
        "1G, 1G",
        "2500M, 2500M",
        "1000000000, 1G",
        "5, 5",
        "0, 0",
        "1536Mi, 1536Mi",
        "1500m, 1500m",
        "1024000, 1024k",
        "125Gi, 125Gi",
        "-3k, -3k",
        "9e18, 9E"
    })
    void printsAsTheApiDoes(String text, String expected) {
        assertThat(Quantity.parse(text).canonical()).isEqualTo(expected);
    }

    @Test
    void anAmountThatWasWorkedOutHasNoDecimalSuffix() {
        assertThat(Quantity.parse("1G").workedOut().canonical()).isEqualTo("1000000000");
        assertThat(Quantity.parse("1Gi").workedOut().canonical()).isEqualTo("1Gi");
        assertThat(Quantity.parse("1G").workedOut()).isEqualTo(Quantity.parse("1G"));
    }

    @Test
    void theMostThatThereIsHasNoFraction() {
        Quantity most = Quantity.parse("1E").plus(Quantity.parse("1000E")).plus(Quantity.parse("0.5"));
        assertThat(most.value()).isEqualTo(Long.MAX_VALUE);
        assertThat(most.negated().value()).isEqualTo(-Long.MAX_VALUE);
    }
}
