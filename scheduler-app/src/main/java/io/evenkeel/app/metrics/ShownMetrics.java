package io.evenkeel.app.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/**
 * The choice of metrics to show.
 *
 * @param disabled names of metrics to leave out
 * @param allowed by the name of a metric, the values that its labels may have
 */
public record ShownMetrics(Set<String> disabled, Map<String, Map<String, Set<String>>> allowed) implements Instruments {
    public static final ShownMetrics ALL = new ShownMetrics(Set.of(), Map.of());

    private static final String TOTAL = "_total";

    public ShownMetrics {
        disabled = Set.copyOf(disabled);
        allowed = Map.copyOf(allowed);
    }

    MetricSnapshots of(MetricSnapshots all) {
        return new MetricSnapshots(all.stream()
                .filter(metric -> !disabled.contains(name(metric)))
                .map(this::constrained)
                .toList());
    }

    @Override
    public Stream<MetricSnapshot> read() {
        return Stream.of(Family.counted("disabled_metrics", "The count of disabled metrics.", disabled.size()));
    }

    /** Whether a metric of this name is left out, with or without the ending of counters. */
    boolean leavesOut(String name) {
        return disabled.contains(name) || disabled.contains(name + TOTAL);
    }

    private MetricSnapshot constrained(MetricSnapshot metric) {
        Map<String, Set<String>> values = allowed.getOrDefault(name(metric), Map.of());
        return values.isEmpty() ? metric : new AllowedLabels(values).constrain(metric);
    }

    private static String name(MetricSnapshot metric) {
        String name = metric.getMetadata().getPrometheusName();
        return metric instanceof CounterSnapshot ? name + TOTAL : name;
    }

    /** The values that a metric's labels may have; any other is shown as {@code unexpected}, such series as one. */
    record AllowedLabels(Map<String, Set<String>> values) {
        private static final String UNEXPECTED = "unexpected";

        AllowedLabels {
            values = Map.copyOf(values);
        }

        MetricSnapshot constrain(MetricSnapshot metric) {
            return switch (metric) {
                case CounterSnapshot counter ->
                    new CounterSnapshot(
                            counter.getMetadata(),
                            merged(
                                    counter.getDataPoints(),
                                    AllowedLabels::labelled,
                                    (a, b) -> point(a.getValue() + b.getValue(), a.getLabels())));
                case GaugeSnapshot gauge ->
                    new GaugeSnapshot(
                            gauge.getMetadata(),
                            merged(
                                    gauge.getDataPoints(),
                                    AllowedLabels::labelled,
                                    (a, b) -> new GaugeDataPointSnapshot(
                                            a.getValue() + b.getValue(), a.getLabels(), null)));
                case HistogramSnapshot histogram ->
                    new HistogramSnapshot(
                            histogram.getMetadata(),
                            merged(histogram.getDataPoints(), AllowedLabels::labelled, AllowedLabels::sum));
                default -> metric;
            };
        }

        private interface Labelling<P> {
            P with(P point, Labels labels);
        }

        private <P extends DataPointSnapshot> Collection<P> merged(
                List<P> points, Labelling<P> labelling, BinaryOperator<P> sum) {
            Map<Labels, P> merged = new LinkedHashMap<>();
            for (P point : points) {
                Labels labels = constrain(point.getLabels());
                merged.merge(labels, labelling.with(point, labels), sum);
            }
            return merged.values();
        }

        private Labels constrain(Labels labels) {
            List<String> names = new ArrayList<>();
            List<String> constrained = new ArrayList<>();
            labels.forEach(label -> {
                Set<String> allowed = values.getOrDefault(label.getName(), Set.of(label.getValue()));
                names.add(label.getName());
                constrained.add(allowed.contains(label.getValue()) ? label.getValue() : UNEXPECTED);
            });
            return Labels.of(names, constrained);
        }

        private static CounterDataPointSnapshot labelled(CounterDataPointSnapshot point, Labels labels) {
            return point(point.getValue(), labels);
        }

        private static CounterDataPointSnapshot point(double value, Labels labels) {
            return new CounterDataPointSnapshot(value, labels, null, 0);
        }

        private static GaugeDataPointSnapshot labelled(GaugeDataPointSnapshot point, Labels labels) {
            return new GaugeDataPointSnapshot(point.getValue(), labels, null);
        }

        private static HistogramDataPointSnapshot labelled(HistogramDataPointSnapshot point, Labels labels) {
            return histogram(point.getClassicBuckets(), point.getSum(), labels);
        }

        private static HistogramDataPointSnapshot histogram(
                ClassicHistogramBuckets buckets, double sum, Labels labels) {
            return HistogramDataPointSnapshot.builder()
                    .classicHistogramBuckets(buckets)
                    .sum(sum)
                    .labels(labels)
                    .build();
        }

        /** Series of one metric have the same buckets. */
        private static HistogramDataPointSnapshot sum(HistogramDataPointSnapshot a, HistogramDataPointSnapshot b) {
            ClassicHistogramBuckets left = a.getClassicBuckets();
            ClassicHistogramBuckets right = b.getClassicBuckets();
            var sum = ClassicHistogramBuckets.builder();
            for (int i = 0; i < left.size(); i++) {
                sum.bucket(left.getUpperBound(i), left.getCount(i) + right.getCount(i));
            }
            return histogram(sum.build(), a.getSum() + b.getSum(), a.getLabels());
        }
    }
}
