package io.evenkeel.app.metrics;

import io.evenkeel.cluster.SpreadSkews;
import io.evenkeel.cluster.SpreadSkews.Spread;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Gauges that are read from the engine's state at each scrape. While the engine does not answer in time, its last answer is
 * shown, and {@code evenkeel_engine_answers} is 0.
 */
final class EngineGauges implements Instruments {
    private static final int MOST_SKEWS = 100;

    private final Supplier<Optional<Readings>> ask;
    private volatile Optional<Readings> last = Optional.empty();

    /** @param ask waits for the engine's answer for a while, and gives up then; called by many threads */
    EngineGauges(Supplier<Optional<Readings>> ask) {
        this.ask = ask;
    }

    /**
     * Figures of the engine's state at one moment, which are counted nowhere; taken on the engine's thread.
     *
     * @param askedOfExtenders pods at the extenders: none, or one
     * @param binding pods that are being bound
     * @param skews none where others show them
     */
    record Readings(
            QueueCounts queue,
            int askedOfExtenders,
            int binding,
            int nodes,
            int pods,
            Optional<SpreadSkews.Worst> skews) {

        static Readings of(Scheduler scheduler, boolean othersShowSpread) {
            return new Readings(
                    scheduler.queue().counts(),
                    scheduler.atExtenders().isPresent() ? 1 : 0,
                    scheduler.onTheirWay().size(),
                    scheduler.cluster().nodes().count(),
                    scheduler.cluster().pods().count(),
                    othersShowSpread
                            ? Optional.empty()
                            : Optional.of(SpreadSkews.worst(scheduler.cluster(), MOST_SKEWS)));
        }
    }

    @Override
    public Stream<MetricSnapshot> read() {
        Optional<Readings> fresh = ask.get();
        if (fresh.isPresent()) {
            last = fresh;
        }
        MetricSnapshot own = Gauge.of(
                "evenkeel_engine_answers", "1 if the engine answered this scrape in time.", fresh.isPresent() ? 1 : 0);
        return Stream.concat(
                Stream.of(own), last.stream().flatMap(readings -> Stream.concat(queue(readings), cluster(readings))));
    }

    private static Stream<MetricSnapshot> queue(Readings readings) {
        QueueCounts pending = readings.queue();
        Gauge rejected = new Gauge(
                "scheduler_unschedulable_pods",
                "The number of unschedulable pods broken down by plugin name. A pod will increment the gauge for all"
                        + " plugins that caused it to not schedule and so this metric have meaning only when broken"
                        + " down by plugin.",
                "plugin",
                "profile");
        pending.rejected().forEach(one -> rejected.set(one.pods(), one.plugin(), one.profile()));
        return Stream.of(
                new Gauge("scheduler_pending_pods", "Number of pending pods, by the queue type.", "queue")
                        .set(pending.active(), "active")
                        .set(pending.backoff(), "backoff")
                        .set(pending.unschedulable(), "unschedulable")
                        .set(pending.gated(), "gated")
                        .snapshot(),
                rejected.snapshot(),
                new Gauge(
                                "evenkeel_extender_pods",
                                "Pods that extenders are being asked about, and pods waiting for that.",
                                "state")
                        .set(readings.askedOfExtenders(), "asked")
                        .set(pending.needingExtenders(), "waiting")
                        .snapshot(),
                new Gauge(
                                "scheduler_inflight_events",
                                "Number of events currently tracked in the scheduling queue.",
                                "event")
                        .set(pending.inFlight(), "PodPopped")
                        .snapshot(),
                new Gauge(
                                "scheduler_goroutines",
                                "Number of running goroutines split by the work they do such as binding.",
                                "operation")
                        .set(readings.binding(), "binding")
                        .snapshot());
    }

    private static Stream<MetricSnapshot> cluster(Readings readings) {
        Gauge size = new Gauge(
                        "scheduler_cache_size",
                        "Number of nodes, pods, and assumed (bound) pods in the scheduler cache.",
                        "type")
                .set(readings.nodes(), "nodes")
                .set(readings.pods(), "pods")
                .set(readings.binding(), "assumed_pods");
        return Stream.concat(
                Stream.of(size.snapshot()), readings.skews().stream().flatMap(EngineGauges::spread));
    }

    private static Stream<MetricSnapshot> spread(SpreadSkews.Worst skews) {
        SpreadGauges spreads = new SpreadGauges();
        for (Spread one : skews.spreads()) {
            spreads.set(
                    one.skew(),
                    one.maxSkew(),
                    one.violatingDomains(),
                    one.namespace(),
                    "",
                    one.topologyKey(),
                    one.selector(),
                    one.hard() ? "DoNotSchedule" : "ScheduleAnyway",
                    String.valueOf(one.maxSkew()));
        }
        return spreads.snapshots(skews.leftOut());
    }
}
