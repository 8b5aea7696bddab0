package io.evenkeel.app.metrics.process;

import io.evenkeel.app.metrics.instrument.Count;
import io.evenkeel.app.metrics.instrument.Family;
import io.evenkeel.app.metrics.instrument.Gauge;
import io.evenkeel.app.metrics.instrument.Instruments;
import io.evenkeel.kube.watch.WatchStatus;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Metrics of watches, by kind. */
public final class WatchMetrics implements Instruments {
    private final Supplier<List<WatchStatus>> statuses;
    private final InstantSource clock;

    public WatchMetrics(Supplier<List<WatchStatus>> statuses, InstantSource clock) {
        this.statuses = statuses;
        this.clock = clock;
    }

    @Override
    public Stream<MetricSnapshot> read() {
        Gauge connected = new Gauge(
                "evenkeel_watch_connected",
                "Whether a watch is open; nothing of kinds that the server has not.",
                "kind");
        Gauge quiet = new Gauge(
                "evenkeel_watch_quiet_seconds",
                "How long the server has said nothing, not even a bookmark, which it sends about once a minute.",
                "kind");
        Family<Count> events = Family.counter("evenkeel_watch_events", "Events and bookmarks that came.", "kind");
        Family<Count> relists = Family.counter(
                "evenkeel_watch_relists", "How often all objects were read, the first time included.", "kind");
        Family<Count> errors =
                Family.counter("evenkeel_watch_errors", "Requests refused and streams broken off.", "kind");
        Family<Count> unreadable = Family.counter(
                "evenkeel_watch_unreadable", "Events and objects skipped as they made no sense.", "kind");
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
