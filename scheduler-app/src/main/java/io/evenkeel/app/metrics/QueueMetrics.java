package io.evenkeel.app.metrics;

import io.evenkeel.queue.QueueObserver;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Metrics of the queue, recorded by the engine's thread. */
final class QueueMetrics implements QueueObserver, Instruments {
    private final Family<Count> incoming = Family.counter(
            "scheduler_queue_incoming_pods",
            "Number of pods added to scheduling queues by event and queue type.",
            "queue",
            "event");
    private final Family<Count> afterFlush = Family.counter(
            "scheduler_pod_scheduled_after_flush",
            "Number of pods that were successfully scheduled after being flushed from unschedulablePods due to"
                    + " timeout. This metric helps detect potential queueing hint misconfigurations or event handling"
                    + " issues.");
    private final Family<Histogram> hints = Family.histogram(
            "scheduler_queueing_hint_execution_duration_seconds",
            "Latency for running a queueing hint function of a plugin.",
            Bounds.exponentialSeconds(0.00001, 1.5, 20),
            "plugin",
            "event",
            "hint");

    private record Incoming(String queue, String event) {}

    private record Hint(String plugin, String event, boolean queued) {}

    private final Count flushed = afterFlush.with();
    private final Map<Incoming, Count> incomingSeries = new HashMap<>();
    private final Map<Hint, Histogram> hintSeries = new HashMap<>();

    @Override
    public void incoming(String queue, String event) {
        incomingSeries
                .computeIfAbsent(new Incoming(queue, event), key -> incoming.with(key.queue, key.event))
                .increment();
    }

    @Override
    public void hintRan(String plugin, String event, boolean queued, long nanos) {
        hintSeries
                .computeIfAbsent(
                        new Hint(plugin, event, queued),
                        key -> hints.with(key.plugin, key.event, key.queued ? "Queue" : "QueueSkip"))
                .record(nanos);
    }

    @Override
    public void boundAfterFlush() {
        flushed.increment();
    }

    @Override
    public Stream<MetricSnapshot> read() {
        return Stream.of(incoming, afterFlush, hints).map(Family::snapshot);
    }
}
