package io.evenkeel.app.metrics.instrument;

import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.stream.Stream;

/** Something that has metrics to show; read by whoever scrapes, at any time. */
public interface Instruments {
    Stream<MetricSnapshot> read();
}
