package io.evenkeel.app.record;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of a record, by its name.
 *
 * @param run that it is of
 * @param number of the segment in it
 */
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
