package io.evenkeel.tools.rerun;

import io.evenkeel.app.record.SegmentHeader;
import io.evenkeel.app.record.SegmentHeader.Start;
import java.util.ArrayList;
import java.util.List;

/**
 * Segments of one run that go on from one to the next, without a gap as far as their headers say.
 *
 * @param segments the first first, at least one
 */
record Chain(List<Segment> segments) {
    /** Makes chains of these segments, which are in their order. */
    static List<Chain> chains(List<Segment> run) {
        List<List<Segment>> chains = new ArrayList<>();
        for (Segment segment : run) {
            if (chains.isEmpty() || !segment.goesOnFrom(chains.getLast().getLast())) {
                chains.add(new ArrayList<>());
            }
            chains.getLast().add(segment);
        }
        return chains.stream().map(Chain::new).toList();
    }

    Chain from(int segment) {
        return new Chain(segments.subList(segment, segments.size()));
    }

    SegmentHeader first() {
        return segments.getFirst().header();
    }

    /** Whether it begins where the run does. */
    boolean isWhole() {
        return first().start() == Start.RUN;
    }
}
