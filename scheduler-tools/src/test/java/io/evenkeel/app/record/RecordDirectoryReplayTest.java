package io.evenkeel.app.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.app.record.RecordFlags.RecordOptions;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.rerun.RecordReplay;
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

/** Files in the directory that are none of the run do not keep it from being replayed. */
class RecordDirectoryReplayTest {
    private static final String OTHER = "evenkeel-20200101T000000.000Z-000000.record";

    @TempDir
    private Path directory;

    @Test
    void whatIsNoSegmentIsNamedAndLeftOut() throws IOException {
        play(1, 50);
        Path empty = Files.createFile(directory.resolve(OTHER));
        Files.setLastModifiedTime(empty, FileTime.from(Instant.now().plusSeconds(60)));
        Files.createDirectory(directory.resolve("evenkeel-x.record"));
        Files.createDirectory(directory.resolve("evenkeel-y-000000.record"));

        RecordReplay replay = replay();

        assertThat(replay.lines()).hasSize(2).last().asString().startsWith("All as recorded, ");
        assertThat(replay.isSame()).isTrue();
        assertThat(replay.remarks())
                .containsExactlyInAnyOrder(
                        directory + "/evenkeel-x.record: is not named as a segment is; it is left out",
                        directory + "/evenkeel-y-000000.record is a directory; it is left out",
                        directory + "/" + OTHER + ": offset 0: the file is empty; it is left out");
    }

    @Test
    void filesOfOlderRunsAreNotOpened() throws IOException {
        Path other = Files.writeString(directory.resolve(OTHER), "foreign");
        Files.setLastModifiedTime(other, FileTime.from(Instant.EPOCH));
        play(1, 50);

        assertThat(replay().remarks()).isEmpty();
    }

    @Test
    void theNewestRunIsTheOneThatWasWrittenLast() throws IOException {
        play(3, 50);
        for (Path file : RecordedScheduler.segments(directory)) {
            Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
        }
        play(1, 20);
        List<String> newest = replay().lines();
        Files.delete(RecordedScheduler.segments(directory).getFirst());

        assertThat(newest).isEqualTo(replay().lines());
    }

    @Test
    void ofTheRunItselfFilesThatCannotBeReadAreLeftOut() throws IOException {
        RandomRun run = new RandomRun(1, new RecordOptions(directory, 200_000, "test"), RandomRun.MANY);
        run.list();
        run.play(1500);
        run.end();
        List<Path> files = RecordedScheduler.segments(directory);
        Path last = files.getLast();
        Path before = files.get(files.size() - 2);
        Files.write(last, Arrays.copyOf(Files.readAllBytes(last), 60));
        Files.write(before, new byte[0]);

        RecordReplay replay = replay();

        assertThat(replay.lines()).hasSize(2).last().asString().startsWith("All as recorded, ");
        assertThat(replay.remarks())
                .containsExactly(
                        before + ": offset 0: the file is empty; it is left out",
                        last + ": offset 60: cut off in its header, there is nothing to replay; it is left out");
    }

    @Test
    void aSegmentUnderTheNameOfAnotherIsLeftOut() throws IOException {
        play(1, 50);
        Path file = RecordedScheduler.segments(directory).getFirst();
        Path copy = Files.copy(file, directory.resolve("evenkeel-run1-000001.record"));

        assertThat(replay().remarks())
                .containsExactly(copy + ": was renamed: it is segment 0 of run run1; it is left out");
    }

    @Test
    void whereNoneCanBeReadEachIsNamed() throws IOException {
        Path file = Files.createFile(directory.resolve(OTHER));

        assertThatThrownBy(this::replay)
                .isInstanceOf(RecordException.class)
                .hasMessage(file + ": offset 0: the file is empty; it is left out\n" + directory
                        + ": there is no record in it");
    }

    private void play(long seed, int steps) {
        RandomRun run = RandomRun.recorded(seed, directory);
        run.list();
        run.play(steps);
        run.end();
    }

    private RecordReplay replay() {
        return RecordReplay.run(directory, Optional.empty(), InTreePlugins.registry(), "test");
    }
}
