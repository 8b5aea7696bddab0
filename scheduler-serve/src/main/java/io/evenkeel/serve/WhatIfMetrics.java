package io.evenkeel.serve;

import evenkeel.whatif.v1.Origin;
import io.evenkeel.app.metrics.Count;
import io.evenkeel.app.metrics.Family;
import io.evenkeel.app.metrics.Family.Families;
import io.evenkeel.app.metrics.Gauge;
import io.evenkeel.app.metrics.Histogram;
import io.evenkeel.app.metrics.Histogram.Bounds;
import io.evenkeel.app.metrics.Instruments;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.Locale;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/** What is asked of a server, how long answers take, and what is turned away. */
final class WhatIfMetrics implements Instruments {
    /** Why something is turned away. */
    enum Refusal {
        UNAUTHENTICATED,
        FORBIDDEN,
        UNAVAILABLE,
        CALLS,
        SESSIONS,
        CONNECTIONS;

        private String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Families families = new Families();
    private final Family<Histogram> requests = families.histogram(
            "evenkeel_whatif_request_duration_seconds",
            "How long requests for what-ifs took, a session's each for itself, by method.",
            Bounds.exponentialSeconds(0.0001, 2, 18),
            "method");
    private final Family<Count> steps =
            families.counter("evenkeel_whatif_steps", "Steps of sessions that were done, by step.", "step");
    private final Family<Count> sessions =
            families.counter("evenkeel_whatif_sessions_opened", "Sessions that were opened, by origin.", "origin");
    private final Family<Count> refused = families.counter(
            "evenkeel_whatif_refused", "Connections and calls that were turned away, by reason.", "reason");
    private volatile IntSupplier open = () -> 0;
    private volatile IntSupplier held = () -> 0;
    private volatile IntSupplier connections = () -> 0;

    WhatIfMetrics() {
        for (Refusal reason : Refusal.values()) {
            refused.with(reason.label());
        }
        for (Origin origin : Origin.values()) {
            if (origin != Origin.UNRECOGNIZED) {
                sessions.with(label(origin.name()));
            }
        }
    }

    void observe(Sessions all, Connections listening) {
        open = all::count;
        held = all::held;
        connections = listening::count;
    }

    private static String label(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    void answered(String method, long nanos) {
        requests.with(method).recordShared(nanos);
    }

    void did(String step) {
        steps.with(label(step)).addShared(1);
    }

    void opened(Origin origin) {
        sessions.with(label(origin.name())).addShared(1);
    }

    void refused(Refusal reason) {
        refused.with(reason.label()).addShared(1);
    }

    @Override
    public Stream<MetricSnapshot> read() {
        return Stream.concat(
                Stream.of(
                        gauge("evenkeel_whatif_sessions", "Sessions that are open.", open),
                        gauge(
                                "evenkeel_whatif_objects",
                                "Objects of sessions' own clusters, with changes that may be taken back.",
                                held),
                        gauge("evenkeel_whatif_connections", "Connections of clients.", connections)),
                families.read());
    }

    private static MetricSnapshot gauge(String name, String help, IntSupplier value) {
        return new Gauge(name, help).set(value.getAsInt()).snapshot();
    }
}
