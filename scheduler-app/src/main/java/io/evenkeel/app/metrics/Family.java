package io.evenkeel.app.metrics;

import io.evenkeel.app.metrics.Histogram.Bounds;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The series of one metric by the values of its labels. A look-up is not for hot paths: look series up once and keep them.
 */
public final class Family<T> {
    private final String[] labels;
    private final Supplier<T> make;
    private final Map<List<String>, T> series = new ConcurrentHashMap<>();

    private Family(List<String> labels, Supplier<T> make) {
        this.labels = labels.toArray(String[]::new);
        this.make = make;
        if (labels.isEmpty()) {
            with();
        }
    }

    public T with(String... values) {
        if (values.length != labels.length) {
            throw new IllegalArgumentException(
                    "labels " + List.of(labels) + " need as many values, got " + List.of(values));
        }
        return series.computeIfAbsent(List.of(values), key -> make.get());
    }

    /** A counter without labels that is counted elsewhere. */
    static MetricSnapshot counted(String name, String help, double value) {
        return CounterSnapshot.builder()
                .name(name)
                .help(help)
                .dataPoint(CounterDataPointSnapshot.builder().value(value).build())
                .build();
    }

    private Labels labels(List<String> values) {
        return Labels.of(labels, values.toArray(String[]::new));
    }

    /** Metrics that are read together. Without labels the one series of a metric is there from the start. */
    public static final class Families implements Instruments {
        private final List<Supplier<MetricSnapshot>> all = new ArrayList<>();

        Histogram histogram(String name, String help, Bounds bounds) {
            return histogram(name, help, bounds, new String[0]).with();
        }

        public Family<Histogram> histogram(String name, String help, Bounds bounds, String... labels) {
            return add(new Family<>(List.of(labels), () -> new Histogram(bounds)), (family, series) -> {
                var shown = HistogramSnapshot.builder().name(name).help(help);
                series.forEach((values, histogram) -> shown.dataPoint(HistogramDataPointSnapshot.builder()
                        .labels(family.labels(values))
                        .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds.shown(), histogram.counts()))
                        .sum(histogram.sum())
                        .build()));
                return shown.build();
            });
        }

        /** Counters of a metric; the ending _total is added to its name when it is shown. */
        public Count counter(String name, String help) {
            return counter(name, help, new String[0]).with();
        }

        public Family<Count> counter(String name, String help, String... labels) {
            return scaled(1, name, help, labels);
        }

        /** Counts nanoseconds, and shows seconds. */
        Count seconds(String name, String help) {
            return scaled(1e9, name, help).with();
        }

        private Family<Count> scaled(double unit, String name, String help, String... labels) {
            return add(new Family<>(List.of(labels), Count::new), (family, series) -> {
                var shown = CounterSnapshot.builder().name(name).help(help);
                series.forEach((values, count) -> shown.dataPoint(CounterDataPointSnapshot.builder()
                        .labels(family.labels(values))
                        .value(count.get() / unit)
                        .build()));
                return shown.build();
            });
        }

        private <T> Family<T> add(Family<T> family, BiFunction<Family<T>, Map<List<String>, T>, MetricSnapshot> show) {
            all.add(() -> show.apply(family, family.series));
            return family;
        }

        @Override
        public Stream<MetricSnapshot> read() {
            return all.stream().map(Supplier::get);
        }
    }
}
