package io.evenkeel.app.metrics;

import io.evenkeel.kube.dispatch.CommandKind;
import io.evenkeel.kube.dispatch.CommandSink.DispatcherView;
import io.evenkeel.kube.dispatch.DispatcherObserver;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Metrics of the dispatcher's calls to the API server, recorded by many threads. */
final class DispatcherMetrics implements DispatcherObserver, Instruments {
    private static final String SUCCESS = "success";
    private static final String ERROR = "error";

    private final Family<Count> calls = Family.counter(
            "scheduler_async_api_call_execution",
            "Total number of API calls executed by the async dispatcher.",
            "call_type",
            "result");
    private final Family<Histogram> callDuration = Family.histogram(
            "scheduler_async_api_call_execution_duration_seconds",
            "Duration in seconds for executing API call in the async dispatcher.",
            Bounds.exponentialSeconds(0.001, 2, 15),
            "call_type",
            "result");
    private final Family<Count> retries = Family.counter("evenkeel_dispatcher_retries", "Retried calls.", "call_type");
    private final Family<Count> drops = Family.counter(
            "evenkeel_dispatcher_dropped", "Commands not carried out, by reason.", "call_type", "reason");
    private final Family<Count> folded =
            Family.counter("evenkeel_events_folded", "Repeated events counted in place of written.");
    private final Supplier<DispatcherView> view;

    /** All series exist from the start: a counter that appears with 1 has no rate. */
    DispatcherMetrics(Supplier<DispatcherView> view) {
        this.view = view;
        for (CommandKind kind : CommandKind.values()) {
            retries.with(nameOf(kind));
            calls.with(nameOf(kind), SUCCESS);
            calls.with(nameOf(kind), ERROR);
            for (Drop why : Drop.values()) {
                drops.with(nameOf(kind), nameOf(why));
            }
        }
    }

    @Override
    public void called(CommandKind kind, boolean success, Duration duration) {
        String result = success ? SUCCESS : ERROR;
        calls.with(nameOf(kind), result).addShared(1);
        callDuration.with(nameOf(kind), result).recordShared(duration.toNanos());
    }

    @Override
    public void retried(CommandKind kind) {
        retries.with(nameOf(kind)).addShared(1);
    }

    @Override
    public void dropped(CommandKind kind, Drop why) {
        drops.with(nameOf(kind), nameOf(why)).addShared(1);
    }

    @Override
    public void folded() {
        folded.with().addShared(1);
    }

    @Override
    public Stream<MetricSnapshot> read() {
        DispatcherView now = view.get();
        Gauge pending = new Gauge(
                "scheduler_pending_async_api_calls",
                "Number of API calls currently pending in the async queue.",
                "call_type");
        for (CommandKind kind : CommandKind.values()) {
            pending.set(now.waiting().getOrDefault(kind, 0), nameOf(kind));
        }
        return Stream.concat(
                Stream.of(calls, callDuration, retries, drops, folded).map(Family::snapshot),
                Stream.of(pending.snapshot()));
    }

    private static String nameOf(Drop why) {
        return why.name().toLowerCase(Locale.ROOT);
    }

    /** The reference's names where it makes such calls itself. */
    private static String nameOf(CommandKind kind) {
        return switch (kind) {
            case BIND -> "pod_binding";
            case WRITE_OBJECT -> "pod_volumes";
            case PATCH_STATUS -> "pod_status_patch";
            case LOOKUP -> "pod_lookup";
            case EVICT -> "pod_eviction";
            case RECORD_EVENT -> "event";
        };
    }
}
