package io.evenkeel.app.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The eldest is what was written first, whatever the clock said then. */
class RecordDirectoryTest {
    private static final Instant NOW = Instant.parse("2026-11-25T08:00:00Z");

    @TempDir
    private Path path;

    private RecordDirectory directory = new RecordDirectory(Path.of(""));

    @BeforeEach
    void isThere() {
        directory = new RecordDirectory(path);
    }

    @Test
    void theRunThatWasWrittenLastIsTheLastWhateverItsName() throws IOException {
        file("2099", 0, NOW.minusSeconds(50));
        file("2026", 0, NOW.minusSeconds(60));
        file("2026", 1, NOW.minusSeconds(40));
        file("2020", 0, NOW.minusSeconds(45));

        assertThat(runs()).containsExactly(List.of("2099 0"), List.of("2020 0"), List.of("2026 0", "2026 1"));
    }

    @Test
    void runsOfTheFutureKeepTheirOrderAndAreOlderThanTheOneThatBegins() throws IOException {
        file("a", 0, NOW.minusSeconds(3600));
        file("c", 0, NOW.plusSeconds(3600));
        file("b", 0, NOW.plusSeconds(7200));
        directory.date(NOW, "0");
        file("0", 0, NOW);

        assertThat(runs()).containsExactly(List.of("a 0"), List.of("c 0"), List.of("b 0"), List.of("0 0"));
        assertThat(written("a")).isEqualTo(NOW.minusSeconds(3600));
    }

    @Test
    void theFilesOfTheRunThatIsWrittenGoLastAndNeverTheOneBeingWritten() throws IOException {
        file("2026", 0, NOW.minusSeconds(60));
        file("2026", 1, NOW.minusSeconds(50));
        file("2026", 2, NOW.minusSeconds(40));
        file("2099", 0, NOW.plusSeconds(3600));
        Path current = path.resolve("evenkeel-2026-000002.record");

        directory.keep(40, "2026", current);
        assertThat(runs()).hasSize(2);
        directory.keep(39, "2026", current);
        assertThat(runs()).containsExactly(List.of("2026 0", "2026 1", "2026 2"));
        directory.keep(25, "2026", current);
        assertThat(runs()).containsExactly(List.of("2026 1", "2026 2"));
        directory.keep(0, "2026", current);
        assertThat(runs()).containsExactly(List.of("2026 2"));
    }

    @Test
    void whatIsNoFileOfARecordIsNeitherCountedNorDeleted() throws IOException {
        file("2026", 0, NOW);
        Path kept = Files.write(path.resolve("evenkeel-kept.record"), new byte[100]);
        Path below = Files.createDirectories(path.resolve("evenkeel-2025-000000.record/below"));

        directory.keep(10, "2027", path.resolve("evenkeel-2027-000000.record"));

        assertThat(kept).exists();
        assertThat(below).exists();
        assertThat(path.resolve("evenkeel-2026-000000.record")).exists();
    }

    private List<List<String>> runs() {
        return directory.runs().stream()
                .map(run -> run.stream()
                        .map(file -> file.run() + " " + file.number())
                        .toList())
                .toList();
    }

    private Instant written(String run) throws IOException {
        return Files.getLastModifiedTime(path.resolve("evenkeel-" + run + "-000000.record"))
                .toInstant();
    }

    /** One of ten bytes. */
    private void file(String run, int number, Instant written) throws IOException {
        Path file = Files.write(path.resolve("evenkeel-%s-%06d.record".formatted(run, number)), new byte[10]);
        Files.setLastModifiedTime(file, FileTime.from(written));
    }
}
