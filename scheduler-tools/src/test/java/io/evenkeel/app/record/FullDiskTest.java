package io.evenkeel.app.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.record.RecordFiles.Disk;
import io.evenkeel.app.record.RecordFlags.RecordOptions;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.tools.rerun.RecordReplay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A disk that is full for a while costs what came meanwhile, and nothing else. */
class FullDiskTest {
    private static final long MUCH = 1L << 30;

    @TempDir
    private Path directory;

    /** Of the next segment nothing fits, a part of the line that it begins with, or a part of its header. */
    @Rotated(3)
    @ParameterizedTest
    @ValueSource(longs = {0, 5, 100})
    void theRecordGoesOnAfterAttemptsThatFailed(long room) throws IOException {
        FullDisk disk = new FullDisk(MUCH);
        RandomRun run = run(disk);
        run.list();
        run.play(50);
        disk.setRoom(0);
        run.play(100);
        disk.setRoom(room);
        run.play(400);
        assertThat(segments()).as("what could not be begun is not left").hasSize(1);
        long before = run.writer.counts().events();

        disk.setRoom(MUCH);
        run.play(400);
        run.end();

        assertThat(run.writer.counts().events()).isGreaterThan(before);
        assertThat(segments()).hasSize(2);
        List<String> lines = replay().lines();
        assertThat(lines).hasSize(4);
        assertThat(lines.get(1)).startsWith("All as recorded, ");
        assertThat(lines.get(2)).startsWith("From a checkpoint, ");
    }

    @Test
    void aRunThatBeginsOnAFullDiskIsRecordedOnceThereIsRoom() throws IOException {
        FullDisk disk = new FullDisk(0);
        RandomRun run = run(disk);
        run.list();
        run.play(400);
        assertThat(segments()).isEmpty();

        disk.setRoom(MUCH);
        run.play(400);
        run.end();

        assertThat(segments()).hasSize(1);
        assertThat(replay().lines().getFirst()).startsWith("From a checkpoint, ");
    }

    private RandomRun run(Disk disk) {
        return new RandomRun(
                1,
                new RecordOptions(directory, RecordOptions.USUAL_LIMIT, "test"),
                disk,
                RandomRun.MANY,
                RecordedScheduler.SEED);
    }

    private List<Path> segments() throws IOException {
        try (var files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }

    private RecordReplay replay() {
        return RecordReplay.run(directory, Optional.empty(), InTreePlugins.registry(), "test");
    }
}
