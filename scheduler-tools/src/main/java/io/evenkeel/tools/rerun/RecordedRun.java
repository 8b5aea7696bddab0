package io.evenkeel.tools.rerun;

import io.evenkeel.app.record.RecordDirectory;
import io.evenkeel.app.record.RecordException;
import io.evenkeel.app.record.SegmentFile;
import io.evenkeel.framework.run.PluginRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The run to replay: the newest recorded run of a directory that is meant, or the first of all. Files of
 * older runs are not opened; files that are no segments are left out.
 *
 * @param chains what is there of it, the first first, at least one
 * @param leftOut why some of its files are, in lines
 * @param next when the next run began, where that is recorded too
 */
record RecordedRun(List<Chain> chains, List<String> leftOut, Optional<Instant> next) {

    /**
     * Finds the run to replay in a file or a directory.
     *
     * @param isMeant asked of runs from the newest on, until one is; of a file too
     * @throws RecordException if there is nothing
     */
    static RecordedRun of(Path path, Predicate<RecordedRun> isMeant) {
        if (Files.isDirectory(path)) {
            return in(path, new RecordDirectory(path), isMeant);
        }
        RecordedRun only = new RecordedRun(List.of(new Chain(List.of(Segment.of(path)))), List.of(), Optional.empty());
        var _ = isMeant.test(only);
        return only;
    }

    private static RecordedRun in(Path path, RecordDirectory directory, Predicate<RecordedRun> isMeant) {
        List<String> leftOut = new ArrayList<>();
        directory.strangers().forEach(file -> leftOut.add(file + ": is not named as a segment is; it is left out"));
        Optional<RecordedRun> eldest = Optional.empty();
        Optional<Instant> next = Optional.empty();
        for (List<SegmentFile> files : directory.runs().reversed()) {
            List<String> ofThisRun = new ArrayList<>(leftOut);
            List<Segment> segments = segments(files, ofThisRun);
            if (segments.isEmpty()) {
                leftOut.addAll(ofThisRun.subList(leftOut.size(), ofThisRun.size()));
            } else {
                RecordedRun run = new RecordedRun(Chain.chains(segments), ofThisRun, next);
                if (isMeant.test(run)) {
                    return run;
                }
                next = Optional.of(run.begin());
                eldest = Optional.of(run);
            }
        }
        return eldest.orElseThrow(() -> new RecordException(none(path, leftOut)));
    }

    /** Returns the files that are segments; says in {@code leftOut} why the others are not. */
    private static List<Segment> segments(List<SegmentFile> files, List<String> leftOut) {
        List<Segment> segments = new ArrayList<>();
        for (SegmentFile file : files) {
            try {
                segments.add(Segment.of(file));
            } catch (RecordException none) {
                leftOut.add(none.getMessage() + "; it is left out");
            }
        }
        return segments;
    }

    private static String none(Path directory, List<String> leftOut) {
        List<String> lines = new ArrayList<>(leftOut);
        lines.add(directory + ": there is no record in it");
        return String.join("\n", lines);
    }

    Instant begin() {
        return chains.getFirst().first().time();
    }

    /** Reads the last of its files for that. */
    Span span(PluginRegistry plugins) {
        return new Span(begin(), new ChainReplay(chains.getLast(), plugins, Optional.empty()).end());
    }
}
