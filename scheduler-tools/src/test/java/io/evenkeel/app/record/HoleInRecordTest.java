package io.evenkeel.app.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.app.record.RecordFlags.RecordOptions;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.tools.rerun.RecordReplay;
import io.evenkeel.tools.rerun.RecordReplay.Moment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A replay does not go on across a hole, and answers nothing of what is in one. */
@Rotated(3)
class HoleInRecordTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(doubles = {0.3, 0.9, 0.99})
    void whereASegmentIsCutOffTheNextOneBeginsAnew(double part) throws IOException {
        record();
        Path cut = segments().get(1);
        byte[] whole = Files.readAllBytes(cut);
        Files.write(cut, Arrays.copyOf(whole, (int) (part * whole.length)));

        assertHole(replay(Optional.empty()), 2);
        Files.delete(segments().getFirst());
        RecordReplay fromCheckpoint = replay(Optional.empty());
        assertThat(fromCheckpoint.lines()).hasSize(4);
        assertThat(fromCheckpoint.remarks()).hasSize(2);
        assertThat(fromCheckpoint.remarks().getLast()).matches("\\Q" + directory + "\\E: events .* are missing");
    }

    @Test
    void whereASegmentIsNotThereTheNextOneBeginsAnew() throws IOException {
        record();
        Files.delete(segments().get(1));

        RecordReplay replay = replay(Optional.empty());

        assertThat(replay.isSame()).isTrue();
        assertThat(replay.lines()).hasSize(4);
        assertThat(replay.remarks())
                .singleElement()
                .asString()
                .matches("\\Q" + directory + "\\E: events [0-9,]+ to [0-9,]+ are missing");
    }

    /** One of another run with the same name, such as one that was copied from elsewhere. */
    @Test
    void whereASegmentDoesNotGoOnFromTheOneBeforeItBeginsAnew() throws IOException {
        record();
        byte[] longer = Files.readAllBytes(segments().get(2));
        Path third = segments().get(2);
        for (Path file : segments()) {
            Files.delete(file);
        }
        RandomRun run = new RandomRun(1, new RecordOptions(directory, 180_000, "test"), RandomRun.MANY);
        run.list();
        run.play(600);
        run.end();
        Files.write(third, longer);

        RecordReplay replay = replay(Optional.empty());

        assertThat(replay.isSame()).isTrue();
        assertThat(replay.lines().get(1)).startsWith("All as recorded, ");
        assertThat(replay.lines().get(2)).startsWith("From a checkpoint, ");
    }

    @Test
    void ofAMomentInAGapNothingIsSaid() {
        RandomRun run = new RandomRun(1, options(), 40);
        run.list();
        run.play(50);
        run.playUnwritten(200);
        Instant unknown = run.time();
        run.play(400);
        run.end();

        RecordReplay replay = replay(Optional.of(new Moment.At(unknown)));

        String gap = replay.gap().orElseThrow();
        assertThat(gap).matches("\\Q" + directory + "\\E: nothing is recorded from [0-9T:.-]+Z to [0-9T:.-]+Z");
        assertThat(Instant.parse(gap.replaceAll(".* from | to .*", ""))).isBefore(unknown);
        assertThat(Instant.parse(gap.replaceAll(".* to ", ""))).isAfter(unknown);
        assertThat(replay.isSame()).isTrue();
        assertThatThrownBy(() -> replay.why("default/p1", (_, _) -> {}))
                .isInstanceOf(RecordException.class)
                .hasMessage(gap);
    }

    /** The record of the later run begins when there is room for it. */
    @Test
    void ofAMomentBetweenTheRecordsOfTwoRunsNothingIsSaid() throws IOException {
        RandomRun earlier = RandomRun.recorded(1, directory);
        earlier.list();
        earlier.play(5);
        earlier.end();
        Files.setLastModifiedTime(segments().getFirst(), FileTime.from(Instant.EPOCH));
        FullDisk disk = new FullDisk(0);
        RandomRun later = new RandomRun(2, options(), disk, RandomRun.MANY, RecordedScheduler.SEED);
        later.list();
        later.play(400);
        Instant unknown = later.time();
        disk.setRoom(1 << 30);
        later.play(400);
        later.end();

        RecordReplay replay = replay(Optional.of(new Moment.At(unknown)));

        assertThat(replay.lines().getFirst()).startsWith("From the beginning, ");
        assertThat(replay.gap().orElseThrow())
                .endsWith(" to " + beginning(segments().getLast()))
                .contains(": nothing is recorded from "
                        + RecordedScheduler.BEGIN.toString().substring(0, 17));
    }

    @Test
    void afterTheEndNothingIsRecordedAndThatIsSaid() {
        RandomRun run = RandomRun.recorded(1, directory);
        run.list();
        run.play(50);
        run.end();

        RecordReplay replay = replay(Optional.of(new Moment.At(run.time().plusSeconds(60))));

        assertThat(replay.gap()).isEmpty();
        assertThat(replay.remarks())
                .singleElement()
                .asString()
                .startsWith(directory + ": nothing is recorded after 2026-11-25T08:");
    }

    /** Some segments. */
    private void record() {
        RandomRun run = new RandomRun(1, new RecordOptions(directory, 120_000, "test"), RandomRun.MANY);
        run.list();
        run.play(1000);
        run.end();
        assertThat(segments()).hasSizeGreaterThan(2);
    }

    private static void assertHole(RecordReplay replay, int chains) {
        assertThat(replay.isSame()).isTrue();
        assertThat(replay.lines()).hasSize(2 * chains);
        assertThat(replay.lines().get(1)).startsWith("All as recorded, ");
        assertThat(replay.lines().get(2)).startsWith("From a checkpoint, ");
        assertThat(replay.remarks()).hasSize(2);
        assertThat(replay.remarks().getFirst()).endsWith("what comes before is used");
        assertThat(replay.remarks().getLast()).matches(".*: events [0-9,]+ to [0-9,]+ are missing");
    }

    private List<Path> segments() {
        return RecordedScheduler.segments(directory);
    }

    private static Instant beginning(Path segment) {
        try (SegmentInput input = SegmentInput.open(segment)) {
            return input.header().time();
        }
    }

    private RecordOptions options() {
        return new RecordOptions(directory, RecordOptions.USUAL_LIMIT, "test");
    }

    private RecordReplay replay(Optional<Moment> at) {
        return RecordReplay.run(directory, at, InTreePlugins.registry(), "test");
    }
}
