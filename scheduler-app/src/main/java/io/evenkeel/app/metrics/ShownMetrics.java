package io.evenkeel.app.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Map;
import java.util.Set;
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

    /** The number of metrics that are left out. */
    @Override
    public Stream<MetricSnapshot> read() {
        Family<Count> count = Family.counter("disabled_metrics", "The count of disabled metrics.");
        count.with().add(disabled.size());
        return Stream.of(count.snapshot());
    }

    /** Whether a metric of this name is left out, with or without the ending of counters. */
    boolean leavesOut(String name) {
        return disabled.contains(name) || disabled.contains(name + TOTAL);
    }

    private MetricSnapshot constrained(MetricSnapshot metric) {
        Map<String, Set<String>> values = allowed.getOrDefault(name(metric), Map.of());
        return values.isEmpty() ? metric : new AllowedLabels(values).constrain(metric);
    }

    /** The name as it is shown. */
    private static String name(MetricSnapshot metric) {
        String name = metric.getMetadata().getPrometheusName();
        return metric instanceof CounterSnapshot ? name + TOTAL : name;
    }
}
