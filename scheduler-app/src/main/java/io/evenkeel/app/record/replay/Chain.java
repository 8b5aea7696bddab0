package io.evenkeel.app.record.replay;

import io.evenkeel.app.record.RecordDirectory;
import io.evenkeel.app.record.format.RecordException;
import io.evenkeel.app.record.format.SegmentHeader;
import io.evenkeel.app.record.format.SegmentHeader.Start;
import io.evenkeel.app.record.format.SegmentInput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Segments of one run that go on from one to the next, without a gap.
 *
 * @param segments the first first, at least one
 */
record Chain(List<Segment> segments) {
    record Segment(Path path, SegmentHeader header) {
        static Segment of(Path path) {
            try (SegmentInput input = SegmentInput.open(path)) {
                return new Segment(path, input.header());
            }
        }

        private boolean goesOnFrom(Segment before) {
            return header.start() == Start.FOLLOWS
                    && header.number() == before.header().number() + 1;
        }
    }

    SegmentHeader first() {
        return segments.getFirst().header();
    }

    /** Whether it begins where the run does. */
    boolean isWhole() {
        return first().start() == Start.RUN;
    }

    /**
     * What is replayed of a file, or of a directory: of its newest run, or of the last that had begun at the moment, the chains
     * that had.
     */
    static List<Chain> of(Path path, Optional<Moment> at) {
        if (!Files.isDirectory(path)) {
            return List.of(new Chain(List.of(Segment.of(path))));
        }
        List<Path> files = new RecordDirectory(path).runs().stream().flatMap(List::stream).map(file -> file.path()).toList();
        if (files.isEmpty()) {
            throw new RecordException(path + ": there is no record in it");
        }
        Map<String, List<Segment>> runs = new LinkedHashMap<>();
        files.stream()
                .map(Segment::of)
                .forEach(segment -> runs.computeIfAbsent(segment.header().run(), _ -> new ArrayList<>())
                        .add(segment));
        List<List<Segment>> begun = runs.values().stream()
                .filter(run -> !(at.orElse(null) instanceof Moment.At(var time))
                        || !run.getFirst().header().time().isAfter(time))
                .toList();
        List<Segment> run = begun.isEmpty() ? runs.values().iterator().next() : begun.getLast();
        return chains(run);
    }

    private static List<Chain> chains(List<Segment> run) {
        List<List<Segment>> chains = new ArrayList<>();
        for (Segment segment : run) {
            if (chains.isEmpty() || !segment.goesOnFrom(chains.getLast().getLast())) {
                chains.add(new ArrayList<>());
            }
            chains.getLast().add(segment);
        }
        return chains.stream().map(Chain::new).toList();
    }
}
