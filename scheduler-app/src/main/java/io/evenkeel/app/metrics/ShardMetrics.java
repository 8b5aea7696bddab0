package io.evenkeel.app.metrics;

import io.evenkeel.app.metrics.Family.Families;
import io.evenkeel.app.metrics.Histogram.Bounds;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The metrics of the schedulers of shards: each series has the label {@code shard}, and is there while this replica holds the shard.
 * So a sum over replicas counts no shard twice, and counters begin anew where a shard is taken again.
 */
public final class ShardMetrics implements Instruments {
    private final Supplier<Map<String, Boolean>> held;
    private final Supplier<Map<String, List<Instruments>>> schedulers;
    private final Families families = new Families();
    private final Family<Histogram> takeovers = families.histogram(
            "evenkeel_shard_takeover_seconds",
            "Time from when a shard's lease was last renewed or released, as seen here, and the map came into force,"
                    + " until its engine decides.",
            Bounds.exponentialSeconds(0.25, 2, 10),
            "shard");
    private final Family<Count> losses =
            families.counter("evenkeel_shard_losses", "Shards whose lease was lost, not given up.", "shard");

    /**
     * @param held by shard, whether this replica holds it
     * @param schedulers the metrics of those at work now, by shard
     */
    public ShardMetrics(Supplier<Map<String, Boolean>> held, Supplier<Map<String, List<Instruments>>> schedulers) {
        this.held = held;
        this.schedulers = schedulers;
    }

    public void tookOver(String shard, long nanos) {
        takeovers.with(shard).recordShared(nanos);
    }

    public void lost(String shard) {
        losses.with(shard).addShared(1);
    }

    @Override
    public Stream<MetricSnapshot> read() {
        Gauge now = new Gauge("evenkeel_shard_held", "1 if this replica holds the shard.", "shard");
        held.get().forEach((shard, isHeld) -> {
            now.set(isHeld ? 1 : 0, shard);
            losses.with(shard);
        });
        return Stream.of(Stream.of(now.snapshot()), families.read(), ofSchedulers())
                .flatMap(metrics -> metrics);
    }

    private Stream<MetricSnapshot> ofSchedulers() {
        Map<String, List<MetricSnapshot>> byName = new LinkedHashMap<>();
        schedulers
                .get()
                .forEach((shard, instruments) -> instruments.stream()
                        .flatMap(Instruments::read)
                        .forEach(metric -> byName.computeIfAbsent(
                                        metric.getMetadata().getName(), _ -> new ArrayList<>())
                                .add(of(shard, metric))));
        return byName.values().stream().map(ShardMetrics::joined);
    }

    private static MetricSnapshot of(String shard, MetricSnapshot metric) {
        Labels label = Labels.of("shard", shard);
        return switch (metric) {
            case CounterSnapshot counter ->
                new CounterSnapshot(
                        counter.getMetadata(),
                        counter.getDataPoints().stream()
                                .map(point -> new CounterDataPointSnapshot(
                                        point.getValue(), point.getLabels().merge(label), null, 0))
                                .toList());
            case GaugeSnapshot gauge ->
                new GaugeSnapshot(
                        gauge.getMetadata(),
                        gauge.getDataPoints().stream()
                                .map(point -> new GaugeDataPointSnapshot(
                                        point.getValue(), point.getLabels().merge(label), null))
                                .toList());
            case HistogramSnapshot histogram ->
                new HistogramSnapshot(
                        histogram.getMetadata(),
                        histogram.getDataPoints().stream()
                                .map(point -> HistogramDataPointSnapshot.builder()
                                        .classicHistogramBuckets(point.getClassicBuckets())
                                        .sum(point.getSum())
                                        .labels(point.getLabels().merge(label))
                                        .build())
                                .toList());
            default -> throw new IllegalStateException("no such metric of a scheduler: " + metric);
        };
    }

    private static MetricSnapshot joined(List<MetricSnapshot> ofShards) {
        return switch (ofShards.getFirst()) {
            case CounterSnapshot first ->
                new CounterSnapshot(
                        first.getMetadata(), points(ofShards, CounterSnapshot.class, CounterSnapshot::getDataPoints));
            case GaugeSnapshot first ->
                new GaugeSnapshot(
                        first.getMetadata(), points(ofShards, GaugeSnapshot.class, GaugeSnapshot::getDataPoints));
            case HistogramSnapshot first ->
                new HistogramSnapshot(
                        first.getMetadata(),
                        points(ofShards, HistogramSnapshot.class, HistogramSnapshot::getDataPoints));
            default -> throw new IllegalStateException("no such metric of a scheduler: " + ofShards.getFirst());
        };
    }

    private static <M extends MetricSnapshot, P extends DataPointSnapshot> List<P> points(
            List<MetricSnapshot> ofShards, Class<M> type, Function<M, List<P>> points) {
        return ofShards.stream()
                .map(type::cast)
                .flatMap(metric -> points.apply(metric).stream())
                .toList();
    }
}
