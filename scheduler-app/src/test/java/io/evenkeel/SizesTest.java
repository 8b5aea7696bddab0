package io.evenkeel;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rooms that can be looked over, and files with one job. */
class SizesTest {
    private static final int MOST_FILES = 25;
    private static final int MOST_LINES = 300;

    @Test
    void noPackageHasMoreFilesThanCanBeLookedOver() throws IOException {
        assertThat(files().stream().collect(groupingBy(Path::getParent, counting())))
                .isNotEmpty()
                .allSatisfy((folder, files) ->
                        assertThat(files).as("files of %s", folder).isLessThanOrEqualTo(MOST_FILES));
    }

    @Test
    void noFileIsTooLongForOneJob() throws IOException {
        for (Path file : files()) {
            try (Stream<String> lines = Files.lines(file)) {
                assertThat(lines.count()).as("lines of %s", file).isLessThanOrEqualTo(MOST_LINES);
            }
        }
    }

    /** The program's own, of all modules. */
    private static List<Path> files() throws IOException {
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            List<Path> sources = modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList();
            List<Path> files = new ArrayList<>();
            for (Path source : sources) {
                try (Stream<Path> below = Files.walk(source)) {
                    below.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
                }
            }
            return files;
        }
    }
}
