package io.evenkeel.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Toleration.Operator;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TolerationTest {
    private static final Taint TAINT = new Taint("dedicated", "5", TaintEffect.NO_SCHEDULE);

    @ParameterizedTest
    @CsvSource({
        "dedicated, EQUAL,  5,  NO_SCHEDULE, true",
        "dedicated, EQUAL,  5,  '',          true",
        "dedicated, EQUAL,  5,  NO_EXECUTE,  false",
        "dedicated, EQUAL,  '', NO_SCHEDULE, false",
        "other,     EQUAL,  5,  NO_SCHEDULE, false",
        "dedicated, EXISTS, '', NO_SCHEDULE, true",
        "other,     EXISTS, '', NO_SCHEDULE, false",
        "'',        EXISTS, '', '',          true",
        "'',        EXISTS, '', NO_EXECUTE,  false",
        "dedicated, LT,     6,  NO_SCHEDULE, true",
        "dedicated, LT,     5,  NO_SCHEDULE, false",
        "dedicated, LT,     6,  NO_EXECUTE,  false",
        "other,     LT,     6,  NO_SCHEDULE, false",
        "dedicated, GT,     4,  NO_SCHEDULE, true",
        "dedicated, GT,     -4, NO_SCHEDULE, true",
        "dedicated, GT,     5,  NO_SCHEDULE, false",
        "dedicated, GT,     04, NO_SCHEDULE, false",
        "dedicated, GT,     +4, NO_SCHEDULE, false",
        "dedicated, GT,     '', NO_SCHEDULE, false",
        "dedicated, GT,     -9223372036854775808, NO_SCHEDULE, true",
        "dedicated, GT,     -9223372036854775809, NO_SCHEDULE, false",
    })
    void toleratesByKeyValueAndEffect(String key, Operator operator, String value, String effect, boolean expected) {
        Optional<TaintEffect> only = effect.isEmpty() ? Optional.empty() : Optional.of(TaintEffect.valueOf(effect));

        assertThat(new Toleration(key, operator, value, only).tolerates(TAINT)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "five", "05", "+5", "-0", "5.0", "5 ", "9223372036854775808"})
    void aTaintWhoseValueIsNoWholeNumberIsNotCompared(String value) {
        Taint taint = new Taint("dedicated", value, TaintEffect.NO_SCHEDULE);

        assertThat(new Toleration("dedicated", Operator.LT, "6", Optional.empty()).tolerates(taint))
                .isFalse();
        assertThat(new Toleration("dedicated", Operator.GT, "-6", Optional.empty()).tolerates(taint))
                .isFalse();
    }
}
