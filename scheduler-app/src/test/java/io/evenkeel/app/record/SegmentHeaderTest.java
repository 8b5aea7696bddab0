package io.evenkeel.app.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.app.record.SegmentHeader.RunSettings;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.SchedulerSettings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A header that is wrong is refused in one line that names the field. */
class SegmentHeaderTest {
    private static final SegmentHeader HEADER = new SegmentHeader(
            "r",
            3,
            SegmentHeader.Start.GAP,
            Instant.parse("2026-11-25T08:00:00Z"),
            5,
            -6,
            7,
            8,
            -9,
            new RunSettings("v", SchedulerConfiguration.defaults(), SchedulerSettings.of(1), List.of("A", "B")));

    @Test
    void whatIsWrittenIsRead() {
        assertThat(SegmentHeader.of(HEADER.json()).json()).isEqualTo(HEADER.json());
    }

    @Test
    void aRecordOfTheVersionBeforeIsRead() {
        String before = HEADER.json().replace("\"record\":3", "\"record\":1");

        assertThat(SegmentHeader.of(before)).isEqualTo(HEADER);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "record|5|this is a record of version 5, and this program reads versions 1 to 4",
                "record|[]|record: expected a whole number, got []",
                "events|1.5|events: expected a whole number, got 1.5",
                "segment|9999999999|segment: expected a whole number, got 9999999999",
                "start|\"SOON\"|start: expected RUN, FOLLOWS or GAP, got \"SOON\"",
                "time|\"noon\"|time: expected a time, got \"noon\"",
                "hash|\"g\"|hash: expected a hexadecimal number, got \"g\"",
                "plugins|[{}]|plugins: expected a list of texts, got [{}]",
                "settings|5|settings: expected an object, got 5",
                "settings|{\"awaitedKinds\":[]}|settings.mostBindings: expected a whole number, and it is not there",
                "configuration|null|configuration: expected an object, got null",
                "featureGates|{\"X\":1}|featureGates.X: expected true or false, got 1",
                "featureGates|{\"NoSuch\":true}|unrecognized feature gate: NoSuch",
            })
    void aFieldThatIsWrongIsNamed(String field, String value, String reason) throws IOException {
        JsonObject json = JsonParser.parseString(HEADER.json()).getAsJsonObject();
        json.add(field, JsonParser.parseString(value));
        assertRefused(json.toString(), reason);
    }

    @Test
    void eachFieldIsMissed() throws IOException {
        JsonObject whole = JsonParser.parseString(HEADER.json()).getAsJsonObject();
        for (String field : whole.keySet()) {
            JsonObject json = whole.deepCopy();
            json.remove(field);
            assertThatThrownBy(() -> read(json.toString()))
                    .isInstanceOf(RecordException.class)
                    .hasMessageMatching("a\\.record: offset 18: the header cannot be read: " + field
                            + ": expected [a-zA-Z0-9., ]+, and it is not there");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{|it is no valid JSON", "5|it is no JSON object", "''|it is no JSON object"})
    void whatIsNoObjectIsNone(String text, String reason) throws IOException {
        assertRefused(text, reason);
    }

    @Test
    void aFrameThatNobodyWouldReadIsNotWritten() {
        byte[] piece = new byte[Frames.LONGEST + 1];

        assertThatThrownBy(() -> Frames.head(0, piece, piece.length))
                .isInstanceOf(IOException.class)
                .hasMessage("a frame of 67108865 bytes is longer than a record may have, 67108864");
    }

    private static void assertRefused(String text, String reason) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(RecordException.class)
                .hasMessage("a.record: offset 18: the header cannot be read: " + reason);
    }

    private static SegmentHeader read(String text) throws IOException {
        byte[] json = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.write(Frames.MAGIC);
        file.write(Frames.head(0, json, json.length));
        file.write(json);
        try (SegmentInput input = SegmentInput.of(Path.of("a.record"), new ByteArrayInputStream(file.toByteArray()))) {
            return input.header();
        }
    }
}
