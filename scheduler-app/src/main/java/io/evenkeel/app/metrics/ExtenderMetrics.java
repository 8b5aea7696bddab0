package io.evenkeel.app.metrics;

import io.evenkeel.kube.extender.Extenders.ExtenderObserver;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.time.Duration;
import java.util.stream.Stream;

/** Metrics of the calls to extenders, recorded by many threads. Without extenders there are none. */
final class ExtenderMetrics implements ExtenderObserver, Instruments {
    private final Family<Histogram> calls = Family.histogram(
            "evenkeel_extender_call_duration_seconds",
            "Duration of calls to extenders, by result.",
            Bounds.exponentialSeconds(0.001, 2, 15),
            "extender",
            "verb",
            "result");

    @Override
    public void called(String extender, String verb, boolean success, Duration took) {
        calls.with(extender, verb, success ? "success" : "error").recordShared(took.toNanos());
    }

    @Override
    public Stream<MetricSnapshot> read() {
        return Stream.of(calls.snapshot());
    }
}
