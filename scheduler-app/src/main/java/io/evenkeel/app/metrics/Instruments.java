package io.evenkeel.app.metrics;

import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.stream.Stream;

/** A source of metrics. Any thread may read it at any time. */
public interface Instruments {
    Stream<MetricSnapshot> read();
}
