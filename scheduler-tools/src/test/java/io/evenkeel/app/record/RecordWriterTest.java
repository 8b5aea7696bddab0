package io.evenkeel.app.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.record.RecordFiles.Disk;
import io.evenkeel.app.record.RecordFlags.RecordOptions;
import io.evenkeel.app.record.Recording.RecordWriter;
import io.evenkeel.app.record.SegmentHeader.RunSettings;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kinds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordWriterTest {
    private static final int MESSAGE = 50_000;
    private static final int HEADER = 18;

    @TempDir
    private Path directory;

    /** One batch of several megabytes. */
    @Test
    void howeverMuchIsInABatchAFrameEndsWithTheEntryThatFillsIt() throws IOException {
        Handover handover = new Handover(2);
        RecordOptions options = new RecordOptions(directory, RecordOptions.USUAL_LIMIT, "test");
        RecordWriter writer = new RecordWriter(
                handover,
                new RecordFiles(options, Disk.REAL, Kinds.IN_TREE, InstantSource.fixed(RecordedScheduler.BEGIN), "r"),
                () -> 0);
        writer.begin(new RunSettings("test", SchedulerConfiguration.defaults(), SchedulerSettings.of(0), List.of()), 1);
        Batch batch = handover.fresh();
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 100; i++) {
            batch.add(
                    Batch.Sort.EVENT,
                    new CommandResult.LookupFailed(PodBuilder.pod("p").build(), incompressible(random)));
        }
        batch.add(Batch.Sort.END);
        assertThat(handover.offer(batch)).isTrue();
        handover.end();
        writer.turn(0);

        List<Integer> frames =
                frames(Files.readAllBytes(RecordedScheduler.segments(directory).getFirst()));
        assertThat(frames).hasSizeGreaterThan(20).allMatch(length -> length < (1 << 17) + 2 * MESSAGE);
    }

    /** What a record says of a cluster is for its owner. */
    @Test
    void theOwnerAloneMayReadIt() throws IOException {
        Path folder = directory.resolve("records/here");
        RandomRun run = RandomRun.recorded(1, folder);
        run.list();
        run.end();

        for (Path written : List.of(directory.resolve("records"), folder)) {
            assertThat(Files.getPosixFilePermissions(written)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        }
        assertThat(Files.getPosixFilePermissions(
                        RecordedScheduler.segments(folder).getFirst()))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    private static String incompressible(SplittableRandom random) {
        StringBuilder text = new StringBuilder(MESSAGE);
        for (int i = 0; i < MESSAGE; i++) {
            text.append((char) (' ' + random.nextInt(95)));
        }
        return text.toString();
    }

    private static List<Integer> frames(byte[] file) {
        List<Integer> lengths = new ArrayList<>();
        ByteBuffer bytes = ByteBuffer.wrap(file).position(HEADER);
        while (bytes.hasRemaining()) {
            int length = bytes.getInt();
            lengths.add(length);
            bytes.position(bytes.position() + 8 + length);
        }
        return lengths;
    }
}
