package io.evenkeel.app.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.app.record.RecordFlags.RecordOptions;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.tools.rerun.RecordReplay;
import io.evenkeel.tools.rerun.RecordReplay.Moment;
import io.evenkeel.tools.why.PodReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever comes, in whichever order and whenever: a replay of the record decides the same. */
class RecordReplayTest {
    @TempDir
    private Path directory;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aRunIsReplayedToTheSameDecisions(long seed) {
        RandomRun run = RandomRun.recorded(seed, directory);
        run.list();
        run.play(300);
        run.end();

        RecordReplay replay = replay(Optional.empty());

        assertThat(replay.lines()).last().asString().startsWith("All as recorded, hash ");
        assertThat(replay.remarks()).isEmpty();
        assertThat(replay.isSame()).isTrue();
        assertThat(run.commands).hasAtLeastOneElementOfType(Command.Evict.class);
        assertThat(run.commands).hasAtLeastOneElementOfType(Command.Lookup.class);
    }

    @Test
    void theFirstDifferenceIsNamedWithItsEventAndItsPod() {
        RandomRun run = new RandomRun(1, options(directory), RandomRun.MANY, 43);
        run.list();
        run.play(100);
        run.end();

        RecordReplay replay = replay(Optional.empty());

        assertThat(replay.lines().getLast())
                .matches("Decided otherwise after event [0-9]+, at 2026-11-25T08:00:[0-9.]+Z, pod default/(p[0-9]+): "
                        + "recorded: Bind default/\\1 n[0-9]; replayed: Bind default/\\1 n[0-9]");
        assertThat(replay.isSame()).isFalse();
    }

    @Test
    void placesThatAreHeldAreReplayed() {
        RandomRun run = RandomRun.recorded(1, directory).holdingPlaces();
        run.list();
        run.play(300);
        run.end();

        assertThat(replay(Optional.empty()).isSame()).isTrue();
    }

    @Test
    void withoutThemTheReplayDiffers() {
        RandomRun run =
                RandomRun.recorded(1, directory).holdingPlaces().leavingOut(SchedulerEvent.OfPlace.class::isInstance);
        run.list();
        run.play(300);
        run.end();

        assertThat(replay(Optional.empty()).isSame()).isFalse();
    }

    @Test
    void itIsReplayedUntilAMomentAndAnswersWhyAsOfThen() {
        RandomRun run = RandomRun.recorded(1, directory);
        run.list();
        run.play(100);
        String waiting = run.scheduler().queue().pods().getFirst().key();
        run.end();

        assertThat(replay(Optional.of(new Moment.After(Duration.ZERO))).why(waiting, (_, _) -> {}))
                .isEmpty();
        RecordReplay atEnd = replay(Optional.of(new Moment.At(Instant.MAX)));
        assertThat(atEnd.lines().getLast()).startsWith("All as recorded");
        assertThat(atEnd.why(waiting, (_, _) -> {}).orElseThrow().state()).isInstanceOf(PodReport.State.Waits.class);
        assertThatThrownBy(() -> replay(Optional.of(new Moment.At(RecordedScheduler.BEGIN.minusSeconds(1)))))
                .isInstanceOf(RecordException.class)
                .hasMessage(directory + ": the record begins at 2026-11-25T08:00:00Z, which is after"
                        + " 2026-11-25T07:59:59Z");
    }

    @Test
    void anotherVersionIsTold() {
        RandomRun run = RandomRun.recorded(1, directory);
        run.list();
        run.end();

        assertThat(RecordReplay.run(directory, Optional.empty(), InTreePlugins.registry(), "other")
                        .remarks())
                .containsExactly(directory + ": recorded by evenkeel test, and this is other: it may decide otherwise");
    }

    @Test
    void whereThereIsNoRecordThatIsSaid() {
        assertThatThrownBy(() -> replay(Optional.empty()))
                .isInstanceOf(RecordException.class)
                .hasMessage(directory + ": there is no record in it");
    }

    @Test
    void whatIsLongIsWrittenToSeveralFilesAndReplayedFromItsBeginning() {
        RandomRun run = new RandomRun(1, new RecordOptions(directory, 200_000, "test"), RandomRun.MANY);
        run.list();
        run.play(600);
        run.end();

        RecordReplay replay = replay(Optional.empty());

        assertThat(RecordedScheduler.segments(directory)).hasSizeGreaterThan(1);
        assertThat(replay.lines()).hasSize(2);
        assertThat(replay.lines().getFirst()).startsWith("From the beginning, ");
        assertThat(replay.lines().getLast()).startsWith("All as recorded, ");
    }

    @Test
    void theOldestFilesGoAndWhatIsLeftIsReplayedAsByARestartedScheduler() throws IOException {
        RandomRun run = new RandomRun(1, new RecordOptions(directory, 60_000, "test"), RandomRun.MANY);
        run.list();
        run.play(600);
        String waiting = run.scheduler().queue().pods().getFirst().key();
        run.end();

        List<Path> left = RecordedScheduler.segments(directory);
        long size = 0;
        for (Path segment : left) {
            size += Files.size(segment);
        }
        assertThat(size).isBetween(30_000L, 60_000L + 8_000);
        assertThat(left.getFirst().toString()).doesNotEndWith("-000000.record");

        RecordReplay replay = replay(Optional.empty());

        assertThat(replay.lines().getFirst()).startsWith("From a checkpoint, ");
        Matcher bindings = Pattern.compile(
                        "As a scheduler decides that was restarted at the checkpoint: of ([0-9]+) bindings ([0-9]+) as"
                                + " recorded, ([0-9]+) to another node, ([0-9]+) not, as the pod was bound before its turn")
                .matcher(replay.lines().getLast());
        assertThat(bindings.matches()).as(replay.lines().getLast()).isTrue();
        assertThat(Integer.parseInt(bindings.group(2))).isGreaterThan(Integer.parseInt(bindings.group(1)) / 4);
        assertThat(replay.isSame()).isTrue();
        assertThat(replay.why(waiting, (_, _) -> {}).orElseThrow().state()).isInstanceOf(PodReport.State.Waits.class);
    }

    @Rotated(3)
    @Test
    void whereTheWriterFallsBehindTheRecordHasAGapAndGoesOn() {
        RandomRun run = new RandomRun(1, options(directory), 40);
        run.list();
        run.play(50);
        run.playUnwritten(200);
        assertThat(run.handover.lost()).isPositive();
        run.play(400);
        run.end();

        RecordReplay replay = replay(Optional.empty());

        assertThat(run.handover.lost()).isEqualTo(run.writer.counts().lost());
        assertThat(replay.lines()).hasSize(4);
        assertThat(replay.lines().get(1)).startsWith("All as recorded, hash ");
        assertThat(replay.lines().get(3)).startsWith("As a scheduler decides that was restarted");
    }

    @Test
    void whereNothingCanBeWrittenItBeginsOnceThatCan() throws IOException {
        Path file = Files.createFile(directory.resolve("taken"));
        RandomRun run = new RandomRun(1, options(file), RandomRun.MANY);
        run.list();
        run.play(50);
        assertThat(run.writer.counts().events()).isZero();
        assertThat(run.handover.lost()).isPositive();
        Files.delete(file);
        run.play(400);
        run.end();

        assertThat(run.writer.counts().events()).isPositive();
        assertThat(RecordReplay.run(file, Optional.empty(), InTreePlugins.registry(), "test")
                        .lines()
                        .getFirst())
                .startsWith("From a checkpoint, ");
    }

    private static RecordOptions options(Path there) {
        return new RecordOptions(there, RecordOptions.USUAL_LIMIT, "test");
    }

    private RecordReplay replay(Optional<Moment> at) {
        return RecordReplay.run(directory, at, InTreePlugins.registry(), "test");
    }
}
