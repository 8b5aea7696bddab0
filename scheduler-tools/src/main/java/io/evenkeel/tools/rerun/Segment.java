package io.evenkeel.tools.rerun;

import io.evenkeel.app.record.RecordException;
import io.evenkeel.app.record.SegmentFile;
import io.evenkeel.app.record.SegmentHeader;
import io.evenkeel.app.record.SegmentHeader.Start;
import io.evenkeel.app.record.SegmentInput;
import java.nio.file.Path;

/** A file of a record, and what it begins with. */
record Segment(Path path, SegmentHeader header) {
    /** @throws RecordException if it is none */
    static Segment of(Path path) {
        try (SegmentInput input = SegmentInput.open(path)) {
            return new Segment(path, input.header());
        }
    }

    /** @throws RecordException if it is none, or another than its name says */
    static Segment of(SegmentFile file) {
        Segment segment = of(file.path());
        SegmentHeader header = segment.header();
        if (!header.run().equals(file.run()) || header.number() != file.number()) {
            throw new RecordException(
                    file.path() + ": was renamed: it is segment " + header.number() + " of run " + header.run());
        }
        return segment;
    }

    boolean goesOnFrom(Segment before) {
        return header.start() == Start.FOLLOWS
                && header.number() == before.header().number() + 1;
    }
}
