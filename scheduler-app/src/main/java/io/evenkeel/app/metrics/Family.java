package io.evenkeel.app.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * The series of one metric by the values of its labels. A look-up is not for hot paths: look series up once and keep them.
 */
public final class Family<T> {
    private final String[] labels;
    private final Supplier<T> make;
    private final Map<List<String>, T> series = new ConcurrentHashMap<>();
    private final BiFunction<Family<T>, Map<List<String>, T>, MetricSnapshot> show;

    private Family(
            List<String> labels, Supplier<T> make, BiFunction<Family<T>, Map<List<String>, T>, MetricSnapshot> show) {
        this.labels = labels.toArray(String[]::new);
        this.make = make;
        this.show = show;
        if (labels.isEmpty()) {
            with();
        }
    }

    /** Without labels its one series is there from the start. */
    public static Family<Histogram> histogram(String name, String help, Bounds bounds, String... labels) {
        return new Family<>(List.of(labels), () -> new Histogram(bounds), (family, all) -> {
            var shown = HistogramSnapshot.builder().name(name).help(help);
            all.forEach((values, histogram) -> shown.dataPoint(HistogramDataPointSnapshot.builder()
                    .labels(family.labels(values))
                    .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds.shown(), histogram.counts()))
                    .sum(histogram.sum())
                    .build()));
            return shown.build();
        });
    }

    /**
     * Counters of a metric.
     *
     * @param name without the ending _total, which is added when it is shown
     */
    public static Family<Count> counter(String name, String help, String... labels) {
        return scaledCounter(name, help, 1, labels);
    }

    /** A counter without labels that is counted elsewhere. */
    static MetricSnapshot counted(String name, String help, double value) {
        return CounterSnapshot.builder()
                .name(name)
                .help(help)
                .dataPoint(CounterDataPointSnapshot.builder().value(value).build())
                .build();
    }

    /**
     * Counters that are shown in another unit than they count in, such as seconds for nanoseconds.
     *
     * @param unit counted units in one shown unit
     */
    public static Family<Count> scaledCounter(String name, String help, double unit, String... labels) {
        return new Family<>(List.of(labels), Count::new, (family, all) -> {
            var shown = CounterSnapshot.builder().name(name).help(help);
            all.forEach((values, count) -> shown.dataPoint(CounterDataPointSnapshot.builder()
                    .labels(family.labels(values))
                    .value(count.get() / unit)
                    .build()));
            return shown.build();
        });
    }

    public T with(String... values) {
        if (values.length != labels.length) {
            throw new IllegalArgumentException(
                    "labels " + List.of(labels) + " need as many values, got " + List.of(values));
        }
        return series.computeIfAbsent(List.of(values), key -> make.get());
    }

    public MetricSnapshot snapshot() {
        return show.apply(this, series);
    }

    private Labels labels(List<String> values) {
        return Labels.of(labels, values.toArray(String[]::new));
    }
}
