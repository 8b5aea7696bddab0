package io.evenkeel.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.live.LiveService.ConfigurationFileCheck;
import io.evenkeel.testing.LogLines;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationFileCheckTest {
    private final LogLines log = new LogLines(ConfigurationFileCheck.class);

    @TempDir
    private Path directory;

    private Path file;
    private ConfigurationFileCheck check;

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(directory.resolve("config.yaml"), "parallelism: 8\n");
        check = new ConfigurationFileCheck(file, "parallelism: 8\n");
    }

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void aFileThatIsAsItWasIsNothingToTell() {
        check.run();

        assertThat(log.lines()).isEmpty();
    }

    @Test
    void aChangeIsToldOnce() throws IOException {
        Files.writeString(file, "parallelism: 9\n");
        check.run();
        Files.writeString(file, "parallelism: 10\n");
        check.run();

        assertThat(log.lines())
                .containsExactly("WARN Configuration file has changed, restart to use it [file=\"" + file + "\"]");
    }

    /** As long as no array is, though it takes no room on the disk. */
    @Test
    void aFileThatNoMemoryHoldsHasChanged() throws IOException {
        try (RandomAccessFile endless = new RandomAccessFile(file.toFile(), "rw")) {
            endless.setLength(3L << 30);
        }
        check.run();

        assertThat(log.lines())
                .containsExactly("WARN Configuration file has changed, restart to use it [file=\"" + file + "\"]");
    }

    @Test
    void aFileThatIsNoTextAnyMoreHasChanged() throws IOException {
        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe});
        check.run();

        assertThat(log.lines())
                .containsExactly("WARN Configuration file has changed, restart to use it [file=\"" + file + "\"]");
    }

    @Test
    void aFileThatIsGoneForAWhileIsLookedAtAgain() throws IOException {
        Files.delete(file);
        check.run();
        check.run();
        assertThat(log.lines())
                .containsExactly("WARN Cannot read the configuration file any more [file=\"" + file + "\"]");

        Files.writeString(file, "parallelism: 9\n");
        check.run();
        assertThat(log.lines()).hasSize(2).last().asString().startsWith("WARN Configuration file has changed");
    }
}
