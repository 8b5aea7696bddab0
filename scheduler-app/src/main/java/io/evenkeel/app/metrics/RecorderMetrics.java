package io.evenkeel.app.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Metrics of the record of a run; all are 0 where none is made.
 *
 * @param lost how many events were taken in and are in no record
 */
public record RecorderMetrics(LongSupplier events, LongSupplier bytes, LongSupplier lost) implements Instruments {
    @Override
    public Stream<MetricSnapshot> read() {
        return Stream.of(
                counter("evenkeel_recorded_events", "Events taken in and recorded.", events),
                counter("evenkeel_recorded_bytes", "Bytes written to the record.", bytes),
                counter("evenkeel_unrecorded_events", "Events taken in while the record had a gap.", lost));
    }

    private static MetricSnapshot counter(String name, String help, LongSupplier value) {
        return CounterSnapshot.builder()
                .name(name)
                .help(help)
                .dataPoint(CounterDataPointSnapshot.builder()
                        .value((double) value.getAsLong())
                        .build())
                .build();
    }
}
