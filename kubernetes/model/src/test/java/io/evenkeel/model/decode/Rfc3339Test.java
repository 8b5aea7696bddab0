package io.evenkeel.model.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Rfc3339Test {

    @ParameterizedTest
    @CsvSource({
        "2026-11-22T15:05:00Z,               2026-11-22T15:05:00Z",
        "2024-02-29T00:00:00Z,               2024-02-29T00:00:00Z",
        "2026-12-31T23:59:59Z,               2026-12-31T23:59:59Z",
        "0000-01-01T00:00:00Z,               0000-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z,               9999-12-31T23:59:59Z",
        "2026-11-22T15:05:00.123456Z,        2026-11-22T15:05:00Z",
        "2026-11-22T15:05:00+01:30,          2026-11-22T13:35:00Z",
        "2026-11-22T15:05:00.5-01:00,        2026-11-22T16:05:00Z",
        "2026-11-22T15:05:00+24:00,          2026-11-21T15:05:00Z",
    })
    void momentsAreWrittenAsTheApiWritesThem(String text, String written) {
        assertThat(Rfc3339.normalized(text)).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "soon",
                "2026-11-22",
                "2026-11-22T15:05Z",
                "2026-11-22 15:05:00Z",
                "2026-11-22t15:05:00z",
                "2026-11-22T15:05:00",
                "2026-11-22T15:05:00.Z",
                "2026-11-22T15:05:00+0100",
                "2026-11-22T15:05:00+25:00",
                "2026-00-22T15:05:00Z",
                "2026-13-22T15:05:00Z",
                "2026-11-00T15:05:00Z",
                "2026-11-31T15:05:00Z",
                "2026-02-29T15:05:00Z",
                "2026-11-22T24:05:00Z",
                "2026-11-22T15:60:00Z",
                "2026-11-22T15:05:60Z",
                "+10000-01-01T00:00:00Z",
                "0000-01-01T00:00:00+01:00",
                "2026-11-22T15:05:00Z\n",
                "２０２６-11-22T15:05:00Z"
            })
    void whatIsNoneIsRefused(String text) {
        assertThatThrownBy(() -> Rfc3339.normalized(text)).isInstanceOf(DateTimeException.class);
    }

    @Test
    void aSecondIsWrittenAsItIsRead() {
        SplittableRandom random = new SplittableRandom(1);
        DateTimeFormatter expected =
                DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);
        for (int i = 0; i < 10_000; i++) {
            long second = random.nextLong(-62_167_219_200L, 253_402_300_800L);
            String written = Rfc3339.ofEpochSecond(second);
            assertThat(written).isEqualTo(expected.format(Instant.ofEpochSecond(second)));
            assertThat(Rfc3339.normalized(written)).isEqualTo(written);
        }
    }

    @Test
    void yearsOfMoreDigitsAreNone() {
        assertThatThrownBy(() -> Rfc3339.ofEpochSecond(253_402_300_800L)).isInstanceOf(DateTimeException.class);
        assertThatThrownBy(() -> Rfc3339.ofEpochSecond(-62_167_219_201L)).isInstanceOf(DateTimeException.class);
    }
}
