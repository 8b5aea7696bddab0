package io.evenkeel.app.metrics;

import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.lang.management.ManagementFactory;
import java.util.stream.Stream;

/** The start time of the process, for endpoints without the JVM's metrics, which have it too. */
public final class ProcessStart implements Instruments {
    @Override
    public Stream<MetricSnapshot> read() {
        double millis = ManagementFactory.getRuntimeMXBean().getStartTime();
        return Stream.of(
                new Gauge("process_start_time_seconds", "Start time of the process since unix epoch in seconds.")
                        .set(millis / 1e3)
                        .snapshot());
    }
}
