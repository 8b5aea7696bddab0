package io.evenkeel.app.metrics;

import io.evenkeel.app.record.Recording.Counts;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Metrics of the record of a run; all are 0 where none is made. */
record RecorderMetrics(Supplier<Counts> counts) implements Instruments {
    @Override
    public Stream<MetricSnapshot> read() {
        Counts now = counts.get();
        return Stream.of(
                Family.counted("evenkeel_recorded_events", "Events taken in and recorded.", now.events()),
                Family.counted("evenkeel_recorded_bytes", "Bytes written to the record.", now.bytes()),
                Family.counted(
                        "evenkeel_unrecorded_events", "Events taken in while the record had a gap.", now.lost()));
    }
}
