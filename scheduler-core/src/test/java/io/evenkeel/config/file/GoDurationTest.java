package io.evenkeel.config.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoDurationTest {
    @ParameterizedTest
    @CsvSource({
        "0s, PT0S",
        "15s, PT15S",
        "10m0s, PT10M",
        "1h0m0s, PT1H",
        "100h0m1.5s, PT100H1.5S",
        "1.5s, PT1.5S",
        "500ms, PT0.5S",
        "1.5\u00b5s, PT0.0000015S",
        "7ns, PT0.000000007S",
        "-2s, PT-2S"
    })
    void durationsAreWrittenAsGoWritesThemAndReadBack(String go, Duration duration) {
        assertThat(GoDuration.format(duration)).isEqualTo(go);
        assertThat(GoDuration.parse(go)).contains(duration);
    }

    @ParameterizedTest
    @CsvSource({"0, PT0S", "1.5h, PT1H30M", ".5m, PT30S", "+3us, PT0.000003S", "1m1m, PT2M"})
    void otherSpellingsAreReadToo(String go, Duration duration) {
        assertThat(GoDuration.parse(go)).contains(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "15", "s", "1 s", "1d", ".s", "1h-5m", "9999999999999h"})
    void nothingElseIsADuration(String text) {
        assertThat(GoDuration.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "PT1M20.055998372S, 1m20.1s",
        "PT5.0012345S,      5s",
        "PT0.2504S,         250ms",
        "PT59.96S,          1m0s",
        "PT0.0000001S,      0s",
        "PT2.5S,            2.5s",
        "-PT0.2504S,        -250ms",
    })
    void measuredOnesAreRounded(Duration measured, String written) {
        assertThat(GoDuration.rounded(measured)).isEqualTo(written);
    }
}
