package io.evenkeel.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileProblemTest {
    @TempDir
    private Path directory;

    @Test
    void aFileThatIsMissingIsNamed() {
        Path absent = directory.resolve("cfg.yaml");

        assertThat(reading(absent)).isEqualTo(absent + " does not exist");
    }

    @Test
    void aFileThatIsNoTextIsNamed() throws IOException {
        Path binary = Files.write(directory.resolve("cfg.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe});

        assertThat(reading(binary)).isEqualTo(binary + " is not UTF-8");
    }

    @Test
    void aDirectoryIsNoFileToReadOrToWrite() {
        assertThat(reading(directory)).isEqualTo(directory + " is a directory");
        assertThat(writing(directory)).isEqualTo(directory + " is a directory");
    }

    @Test
    void whereTheDirectoryOfAFileIsMissingThatIsSaid() {
        Path nowhere = directory.resolve("nowhere");

        assertThat(writing(nowhere.resolve("cfg.yaml")))
                .isEqualTo(nowhere.resolve("cfg.yaml") + " cannot be written: " + nowhere + " does not exist");
    }

    private static String reading(Path file) {
        return FileProblem.reading(file, catchThrowableOfType(IOException.class, () -> Files.readString(file)));
    }

    private static String writing(Path file) {
        return FileProblem.writing(file, catchThrowableOfType(IOException.class, () -> Files.writeString(file, "")));
    }
}
