package io.evenkeel.app.record;

import io.evenkeel.file.FileProblem;
import io.evenkeel.file.SecretFile;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The directory that records are in: a file a segment. Which run is older than which is known by when its files were written last,
 * not by its name: the clock that it was named by may have been set back since.
 */
public final class RecordDirectory {
    /** Coarser than any file system's time. */
    private static final Duration BETWEEN_RUNS = Duration.ofSeconds(1);

    private final Path path;

    public RecordDirectory(Path path) {
        this.path = path;
    }

    /** Makes it, where there is none. */
    void make() throws IOException {
        SecretFile.makeDirectory(path);
    }

    /** Makes it, where there is none, and says why nothing can be written there, where that is so. */
    Optional<String> made() {
        try {
            make();
        } catch (IOException impossible) {
            return Optional.of(problem().orElseGet(() -> path + " cannot be made" + because(impossible)));
        }
        return Files.isWritable(path) ? Optional.empty() : Optional.of("no files can be made in " + path);
    }

    private static String because(IOException impossible) {
        return switch (impossible) {
            case AccessDeniedException _ -> ": access is denied";
            case FileSystemException inFile ->
                Optional.ofNullable(inFile.getReason())
                        .map(reason -> ": " + reason)
                        .orElse(": no directory can be made there");
            default -> ": " + impossible.getMessage();
        };
    }

    /** Why there is none and none can be made, where that is so. */
    Optional<String> problem() {
        return Stream.iterate(path.toAbsolutePath(), Objects::nonNull, Path::getParent)
                .filter(Files::exists)
                .findFirst()
                .filter(there -> !Files.isDirectory(there))
                .map(there -> (there.equals(path.toAbsolutePath()) ? path : there) + " is no directory");
    }

    /** The file of a segment. */
    Path file(String run, int segment) {
        return SegmentFile.in(path, run, segment).path();
    }

    /** The segments of each run, in their order; the run that was written last is the last. */
    public List<List<SegmentFile>> runs() {
        try {
            return list().stream()
                    .map(run -> run.files().stream().map(Found::file).toList())
                    .toList();
        } catch (IOException unreadable) {
            throw new RecordException(FileProblem.reading(path, unreadable));
        }
    }

    /** Files with names like a segment's that are none. */
    public List<Path> strangers() {
        try (Stream<Path> all = Files.list(path)) {
            return all.filter(file -> SegmentFile.isNearlyNamed(file)
                            && SegmentFile.named(file).isEmpty())
                    .sorted()
                    .toList();
        } catch (IOException unreadable) {
            throw new RecordException(FileProblem.reading(path, unreadable));
        }
    }

    /** All other runs that are there were written before now, one after the other, whatever the clock said then. */
    void date(Instant now, String own) throws IOException {
        FileTime next = FileTime.from(now);
        for (Run run : list().reversed()) {
            if (!run.name().equals(own)) {
                FileTime latest = FileTime.from(next.toInstant().minus(BETWEEN_RUNS));
                run.files().forEach(found -> found.date(latest));
                next = run.written().compareTo(latest) > 0 ? latest : run.written();
            }
        }
    }

    /** Deletes the oldest until no more than so many bytes are left: this run's own last, and never the file being written. */
    void keep(long most, String own, Path current) throws IOException {
        List<Found> files = new ArrayList<>();
        list().forEach(run -> files.addAll(run.files()));
        files.removeIf(found -> !found.attributes().isRegularFile());
        files.sort(Comparator.comparing(found -> found.file().run().equals(own)));
        long size = files.stream().mapToLong(Found::size).sum();
        for (Found found : files) {
            if (size > most && !found.file().path().equals(current)) {
                size -= found.size();
                Files.deleteIfExists(found.file().path());
            }
        }
    }

    private record Found(SegmentFile file, BasicFileAttributes attributes) {
        long size() {
            return attributes.size();
        }

        FileTime written() {
            return attributes.lastModifiedTime();
        }

        void date(FileTime latest) {
            try {
                if (written().compareTo(latest) > 0) {
                    Files.setLastModifiedTime(file.path(), latest);
                }
            } catch (IOException ofSomebodyElse) {
                // then it may be taken for newer than it is: no reason to write nothing
            }
        }
    }

    private record Run(List<Found> files) {
        String name() {
            return files.getFirst().file().run();
        }

        FileTime written() {
            return files.stream()
                    .map(Found::written)
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }

    private List<Run> list() throws IOException {
        List<SegmentFile> files;
        try (Stream<Path> all = Files.list(path)) {
            files = all.map(SegmentFile::named)
                    .flatMap(Optional::stream)
                    .sorted(Comparator.comparing(SegmentFile::run).thenComparingInt(SegmentFile::number))
                    .toList();
        }
        Map<String, List<Found>> runs = new LinkedHashMap<>();
        for (SegmentFile file : files) {
            try {
                BasicFileAttributes attributes = Files.readAttributes(file.path(), BasicFileAttributes.class);
                runs.computeIfAbsent(file.run(), _ -> new ArrayList<>()).add(new Found(file, attributes));
            } catch (NoSuchFileException justDeleted) {
                // then it is not there
            }
        }
        return runs.values().stream()
                .map(Run::new)
                .sorted(Comparator.comparing(Run::written))
                .toList();
    }

    /** A file of a record: a segment of a run, from 0 on. */
    public record SegmentFile(Path path, String run, int number) {
        private static final Pattern NAME = Pattern.compile("evenkeel-(.+)-(\\d{6,9})\\.record");

        static SegmentFile in(Path directory, String run, int number) {
            return new SegmentFile(directory.resolve("evenkeel-%s-%06d.record".formatted(run, number)), run, number);
        }

        static boolean isNearlyNamed(Path path) {
            String name = String.valueOf(path.getFileName());
            return name.startsWith("evenkeel-") && name.endsWith(".record");
        }

        /** The segment of this name; empty where the name is none of a segment. */
        static Optional<SegmentFile> named(Path path) {
            Matcher name = NAME.matcher(String.valueOf(path.getFileName()));
            return name.matches()
                    ? Optional.of(new SegmentFile(path, name.group(1), Integer.parseInt(name.group(2))))
                    : Optional.empty();
        }
    }
}
