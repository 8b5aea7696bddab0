package io.evenkeel.app.record;

import java.nio.file.Path;

/**
 * Where and how a run is recorded.
 *
 * @param directory the directory of the record's files, also of earlier runs' files
 * @param limit how many bytes all of them may have
 * @param version of the program
 */
public record RecordOptions(Path directory, long limit, String version) {
    public static final long USUAL_LIMIT = 1L << 30;

    /** Below that, there would be little but the beginnings of segments. */
    public static final long LEAST_LIMIT = 1L << 24;

    /** More than any disk has: a mistake, which amounts beyond what can be counted would hide. */
    public static final long MOST_LIMIT = 1L << 60;
}
