package io.evenkeel.app.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.record.replay.RecordReplay;
import io.evenkeel.engine.Command;
import io.evenkeel.plugins.InTreePlugins;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever comes, in whichever order and whenever: a replay of the record decides the same. */
class RecordReplayTest {
    @TempDir
    private Path directory;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aRunIsReplayedToTheSameDecisions(long seed) {
        RandomRun run = RandomRun.recorded(seed, directory);
        run.list();
        run.play(400);
        run.end();

        RecordReplay replay = RecordReplay.run(directory, Optional.empty(), InTreePlugins.registry(), "test");

        assertThat(replay.lines()).last().asString().startsWith("All as recorded, hash ");
        assertThat(replay.remarks()).isEmpty();
        assertThat(replay.isSame()).isTrue();
        assertThat(run.commands).hasAtLeastOneElementOfType(Command.Evict.class);
        assertThat(run.commands).hasAtLeastOneElementOfType(Command.Lookup.class);
    }
}
