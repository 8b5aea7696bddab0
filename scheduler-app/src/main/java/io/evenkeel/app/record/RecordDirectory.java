package io.evenkeel.app.record;

import io.evenkeel.app.record.format.RecordException;
import io.evenkeel.file.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The directory that records are in: a file a segment, whose names sort as they were written. */
public final class RecordDirectory {
    private static final String PREFIX = "evenkeel-";
    private static final String SUFFIX = ".record";

    private final Path path;

    public RecordDirectory(Path path) {
        this.path = path;
    }

    /** Makes it, where there is none. */
    void make() throws IOException {
        Files.createDirectories(path);
    }

    /** Why there is none and none can be made, where that is so. */
    Optional<String> problem() {
        return Files.exists(path) && !Files.isDirectory(path)
                ? Optional.of(path + " is no directory")
                : Optional.empty();
    }

    /** The file of a segment. */
    Path file(String run, int segment) {
        return path.resolve("%s%s-%06d%s".formatted(PREFIX, run, segment, SUFFIX));
    }

    /**
     * The segments of all runs, the oldest first.
     *
     * @throws RecordException if the directory cannot be read
     */
    public List<Path> segments() {
        try {
            return list();
        } catch (IOException unreadable) {
            throw new RecordException(FileProblem.reading(path, unreadable));
        }
    }

    private List<Path> list() throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.filter(file -> {
                        String name = String.valueOf(file.getFileName());
                        return name.startsWith(PREFIX) && name.endsWith(SUFFIX);
                    })
                    .sorted()
                    .toList();
        }
    }

    /** Deletes the oldest until no more than so many bytes are left, but never this one. */
    void keep(long most, Path current) throws IOException {
        List<Path> files = new ArrayList<>(list());
        long size = 0;
        for (Path file : files) {
            size += Files.size(file);
        }
        for (Path file : files) {
            if (size <= most || file.equals(current)) {
                return;
            }
            size -= Files.size(file);
            Files.delete(file);
        }
    }
}
