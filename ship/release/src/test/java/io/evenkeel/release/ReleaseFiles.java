package io.evenkeel.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The files that {@code assemble} has gathered, named evenkeel-VERSION and what they are. */
final class ReleaseFiles {
    static final String VERSION = System.getProperty("evenkeel.version");
    static final Path FOLDER = Path.of("target/release").toAbsolutePath();

    private ReleaseFiles() {}

    static Path file(String ending) {
        return FOLDER.resolve("evenkeel-" + VERSION + ending);
    }

    /** With its base where the registry could be reached, else without. */
    static Path image() throws IOException {
        return names().stream()
                .filter(name -> name.contains("-image-"))
                .map(FOLDER::resolve)
                .findFirst()
                .orElseThrow();
    }

    static List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** The archive's only folder. */
    static Path unpack(Path archive, Path into) throws IOException, InterruptedException {
        Processes.run(into, Map.of(), "tar", "-xzf", archive.toString());
        try (Stream<Path> folders = Files.list(into)) {
            return folders.findFirst().orElseThrow();
        }
    }
}
