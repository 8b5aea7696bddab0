package io.evenkeel.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Plugin;
import io.evenkeel.api.Status.Code;
import io.evenkeel.app.metrics.EngineMetrics.PluginMetrics;
import io.evenkeel.framework.run.ProfileObserver;
import io.evenkeel.framework.run.ProfileObserver.MeasuredPoint;
import io.evenkeel.framework.run.ProfileObserver.Stopwatch;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Label;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Plugins on a clock that goes on a second with each look at it. */
class PluginMetricsTest {
    private static final List<Plugin> PLUGINS = List.of(() -> "A", () -> "B");

    private long seconds;
    private final PluginMetrics metrics = new PluginMetrics(() -> ++seconds * 1_000_000_000, "");
    private final ProfileObserver profile = metrics.ofProfile("default-scheduler");
    private final Stopwatch filters = profile.at(MeasuredPoint.FILTER, PLUGINS);

    @Test
    void aPluginIsTimedFromTheEndOfTheOneBeforeItInOneCycleOfTen() {
        for (int cycle = 0; cycle < 9; cycle++) {
            cycle();
        }
        assertThat(sums("scheduler_plugin_execution_duration_seconds")).isEmpty();

        cycle();
        cycle();

        assertThat(sums("scheduler_plugin_execution_duration_seconds"))
                .isEqualTo(Map.of("Filter A Success", 1.0, "Filter B Skip", 1.0));
    }

    @Test
    void theWholePointIsTimedInEachCycle() {
        cycle();
        cycle();

        assertThat(sums("scheduler_framework_extension_point_duration_seconds"))
                .isEqualTo(Map.of("Filter default-scheduler Success", 2.0));
    }

    @Test
    void aPluginThatSkipsAPodHasNotEvaluatedIt() {
        cycle();
        cycle();

        assertThat(evaluations())
                .isEqualTo(Map.of("Filter A default-scheduler", 2.0, "Filter B default-scheduler", 0.0));
    }

    @Test
    void atPointsWhereKubeSchedulerDoesNotCountPluginsNoneIs() {
        Stopwatch reserves = profile.at(MeasuredPoint.RESERVE, PLUGINS);
        reserves.lap(0, Code.SUCCESS, reserves.start());

        assertThat(evaluations())
                .isEqualTo(Map.of("Filter A default-scheduler", 0.0, "Filter B default-scheduler", 0.0));
    }

    private void cycle() {
        profile.cycleBegan();
        long began = filters.start();
        long at = filters.lap(0, Code.SUCCESS, began);
        var _ = filters.lap(1, Code.SKIP, at);
        filters.stop(Code.SUCCESS, began);
    }

    private Map<String, Double> sums(String name) {
        Map<String, Double> sums = new TreeMap<>();
        ((HistogramSnapshot) metric(name))
                .getDataPoints()
                .forEach(point -> sums.put(valuesOf(point.getLabels()), point.getSum()));
        return sums;
    }

    private Map<String, Double> evaluations() {
        Map<String, Double> counts = new TreeMap<>();
        ((CounterSnapshot) metric("scheduler_plugin_evaluation"))
                .getDataPoints()
                .forEach(point -> counts.put(valuesOf(point.getLabels()), point.getValue()));
        return counts;
    }

    private MetricSnapshot metric(String name) {
        return metrics.families()
                .read()
                .filter(metric -> metric.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** In the order of the labels' names. */
    private static String valuesOf(Labels labels) {
        return labels.stream().map(Label::getValue).collect(Collectors.joining(" "));
    }
}
