package io.evenkeel.app.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Typed;
import io.evenkeel.app.record.RecordFlags.RecordOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two runs: one from 08:00 until 08:00 two days later, one of some seconds from 08:00 of the first day. */
class TimeOfDayReplayTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void record() throws IOException {
        RandomRun seconds = RandomRun.recorded(1, directory);
        seconds.list();
        seconds.play(5);
        seconds.end();
        Files.setLastModifiedTime(RecordedScheduler.segments(directory).getFirst(), FileTime.from(Instant.EPOCH));
    }

    private void recordDays() {
        RandomRun days = RandomRun.recorded(2, directory);
        days.list();
        days.play(5);
        days.pass(Duration.ofDays(2));
        days.play(5);
        days.end();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            08:31                         | 2026-11-26T08:31:00Z
            8:31                          | 2026-11-26T08:31:00Z
            23:59:59.5                    | 2026-11-26T23:59:59.500Z
            00:30+01:00                   | 2026-11-26T23:30:00Z
            07:59Z                        | 2026-11-27T07:59:00Z
            """)
    void isOfTheLastDayInWhichItIsRecorded(String typed, String moment) {
        recordDays();

        Typed replayed = replay(typed);

        assertThat(replayed.exitCode()).isZero();
        assertThat(replayed.err()).contains(" is " + moment + System.lineSeparator());
        Instant reached = Instant.parse(replayed.out().replaceAll("(?s).*Z to ([^ ]+Z): .*", "$1"));
        assertThat(reached).isBefore(moment);
    }

    @ParameterizedTest
    @CsvSource({"2026-11-26T08:31", "2026-11-26 08:31:00", "2026-11-26T08:31:00Z", "2026-11-26T09:31:00+01:00"})
    void withADateItIsThatMoment(String typed) {
        recordDays();

        Typed replayed = replay(typed);

        assertThat(replayed.exitCode()).isZero();
        assertThat(replayed.err()).doesNotContain(" is 2026");
    }

    /** Pods that wait for another scheduler are in no record, so it is not said that there is none. */
    @Test
    void aPodThatIsNotRecordedIsNotDenied() {
        Typed replayed = Typed.evenkeel("replay", "--record", directory.toString(), "--at", "08:00", "--why", "else");

        assertThat(replayed.exitCode()).isEqualTo(1);
        assertThat(replayed.err())
                .endsWith(directory + ": no pod default/else was on a node then, or waited for one of the recorded"
                        + " profiles" + System.lineSeparator());
    }

    /** The record of the later one begins when there is room for it. */
    @Test
    void itMayBeInAnEarlierRun() {
        FullDisk disk = new FullDisk(0);
        RandomRun later = new RandomRun(
                2, new RecordOptions(directory, 1 << 30, "test"), disk, RandomRun.MANY, RecordedScheduler.SEED);
        later.list();
        later.play(400);
        later.pass(Duration.ofHours(3));
        disk.setRoom(1 << 30);
        later.play(400);
        later.end();

        Typed replayed = replay("08:00");

        assertThat(replayed.exitCode()).isZero();
        assertThat(replayed.err()).contains(directory + ": 08:00 is 2026-11-25T08:00:00Z");
        assertThat(replay("09:00").err())
                .as("neither of them")
                .contains("2026-11-25T08:00:00Z to 2026-11-25T08:0", ", 2026-11-25T11:");
    }

    @Test
    void whereItIsNotRecordedThatIsSaid() {
        Typed replayed = replay("07:00");

        assertThat(replayed.exitCode()).isEqualTo(1);
        assertThat(replayed.err())
                .matches("evenkeel: \\Q" + directory + "\\E: it was never 07:00 UTC in what is recorded,"
                        + " 2026-11-25T08:00:00Z to 2026-11-25T08:0[^ ]*Z\\R");
    }

    @ParameterizedTest
    @CsvSource({"24:01", "8.30", "2026-02-30T08:00", "morning"})
    void whatIsNoTimeIsAMistake(String typed) {
        Typed replayed = replay(typed);

        assertThat(replayed.exitCode()).isEqualTo(2);
        assertThat(replayed.err())
                .contains("expected a time such as 08:30 or 2026-11-25T08:30:00Z, or a duration such as 90m, got \""
                        + typed + "\"");
    }

    private Typed replay(String at) {
        return Typed.evenkeel("replay", "--record", directory.toString(), "--at", at);
    }
}
