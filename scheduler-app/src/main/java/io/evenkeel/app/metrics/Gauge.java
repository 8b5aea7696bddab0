package io.evenkeel.app.metrics;

import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;

/** A gauge in the making, for one reading. */
public final class Gauge {
    private final GaugeSnapshot.Builder shown;
    private final String[] labels;

    public Gauge(String name, String help, String... labels) {
        this.shown = GaugeSnapshot.builder().name(name).help(help);
        this.labels = labels.clone();
    }

    /** One that has a single value, without labels. */
    static MetricSnapshot of(String name, String help, double value) {
        return new Gauge(name, help).set(value).snapshot();
    }

    public Gauge set(double value, String... values) {
        if (values.length != labels.length) {
            throw new IllegalArgumentException(
                    "labels " + List.of(labels) + " need as many values, got " + List.of(values));
        }
        shown.dataPoint(GaugeDataPointSnapshot.builder()
                .labels(Labels.of(labels, values))
                .value(value)
                .build());
        return this;
    }

    public MetricSnapshot snapshot() {
        return shown.build();
    }
}
