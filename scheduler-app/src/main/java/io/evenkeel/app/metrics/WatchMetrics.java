package io.evenkeel.app.metrics;

import io.evenkeel.kube.watch.Watches.WatchStatus;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Metrics of watches, by kind. */
record WatchMetrics(Supplier<List<WatchStatus>> statuses, InstantSource clock) implements Instruments {
    @Override
    public Stream<MetricSnapshot> read() {
        Gauge connected = new Gauge(
                "evenkeel_watch_connected",
                "1 if the watch is open; absent for kinds the server does not serve.",
                "kind");
        Gauge quiet = new Gauge(
                "evenkeel_watch_quiet_seconds",
                "Seconds since the last event or bookmark; the server sends a bookmark about once a minute.",
                "kind");
        Family<Count> events = Family.counter("evenkeel_watch_events", "Watch events and bookmarks received.", "kind");
        Family<Count> relists =
                Family.counter("evenkeel_watch_relists", "Lists of all objects of a kind, the first included.", "kind");
        Family<Count> errors = Family.counter("evenkeel_watch_errors", "Refused requests and broken streams.", "kind");
        Family<Count> unreadable = Family.counter(
                "evenkeel_watch_unreadable", "Events and objects skipped because they cannot be read.", "kind");
        for (WatchStatus status : statuses.get()) {
            String kind = status.kind();
            if (!status.absent()) {
                connected.set(status.connected() ? 1 : 0, kind);
            }
            status.quietFor(clock.instant()).map(Duration::toMillis).ifPresent(millis -> quiet.set(millis / 1e3, kind));
            events.with(kind).add(status.events());
            relists.with(kind).add(status.relists());
            errors.with(kind).add(status.errors());
            unreadable.with(kind).add(status.unreadable());
        }
        return Stream.of(
                connected.snapshot(),
                quiet.snapshot(),
                events.snapshot(),
                relists.snapshot(),
                errors.snapshot(),
                unreadable.snapshot());
    }
}
