package io.evenkeel.app.metrics;

import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/** Metrics around the engine: its loop, its mailbox, readiness, leadership. The loop is recorded by the engine's thread. */
final class ProcessMetrics implements Instruments {
    private final Family<Histogram> loops = Family.histogram(
            "evenkeel_engine_loop_seconds",
            "Duration of a round of the engine's loop, without waiting.",
            Bounds.exponentialSeconds(0.00001, 4, 10));
    private final Family<Count> busy =
            Family.scaledCounter("evenkeel_engine_busy_seconds", "Working time of the engine's thread.", 1e9);
    private final Histogram loop = loops.with();
    private final Count busyNanos = busy.with();
    private final IntSupplier mailboxDepth;
    private final BooleanSupplier ready;
    private final BooleanSupplier leading;
    private final String leaseName;

    ProcessMetrics(IntSupplier mailboxDepth, BooleanSupplier ready, BooleanSupplier leading, String leaseName) {
        this.mailboxDepth = mailboxDepth;
        this.ready = ready;
        this.leading = leading;
        this.leaseName = leaseName;
    }

    /** One round of the loop took so long, waiting not included. */
    void looped(long nanos) {
        loop.record(nanos);
        busyNanos.add(nanos);
    }

    @Override
    public Stream<MetricSnapshot> read() {
        return Stream.of(
                loops.snapshot(),
                busy.snapshot(),
                Gauge.of("evenkeel_mailbox_depth", "Events waiting for the engine.", mailboxDepth.getAsInt()),
                Gauge.of(
                        "evenkeel_ready",
                        "1 once the whole cluster has been read, as /readyz says.",
                        ready.getAsBoolean() ? 1 : 0),
                new Gauge(
                                "leader_election_master_status",
                                "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup,"
                                        + " 1 indicates master. 'name' is the string used to identify the lease.",
                                "name")
                        .set(leading.getAsBoolean() ? 1 : 0, leaseName)
                        .snapshot());
    }
}
