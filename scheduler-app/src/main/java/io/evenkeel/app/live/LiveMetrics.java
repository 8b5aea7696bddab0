package io.evenkeel.app.live;

import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.LoopObserver;
import io.evenkeel.app.http.HealthCheck.HealthObserver;
import io.evenkeel.app.metrics.ApiMetrics;
import io.evenkeel.app.metrics.BuildMetrics;
import io.evenkeel.app.metrics.DispatcherMetrics;
import io.evenkeel.app.metrics.EngineGauges;
import io.evenkeel.app.metrics.EngineMetrics;
import io.evenkeel.app.metrics.EngineReadings;
import io.evenkeel.app.metrics.ExtenderMetrics;
import io.evenkeel.app.metrics.FeatureMetrics;
import io.evenkeel.app.metrics.HealthMetrics;
import io.evenkeel.app.metrics.Instruments;
import io.evenkeel.app.metrics.MetricsEndpoint;
import io.evenkeel.app.metrics.ProcessMetrics;
import io.evenkeel.app.metrics.ProcessResources;
import io.evenkeel.app.metrics.ProcessStart;
import io.evenkeel.app.metrics.RecorderMetrics;
import io.evenkeel.app.metrics.ShownMetrics;
import io.evenkeel.app.metrics.WatchMetrics;
import io.evenkeel.cluster.SpreadSkews;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.dispatch.CommandSink.DispatcherView;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** The metrics of a live scheduler. Made before it, as its parts are given their observers when they are made. */
final class LiveMetrics {
    private static final int MOST_SKEWS = 100;
    private static final long PATIENCE_SECONDS = 2;

    private final EngineMetrics engine = new EngineMetrics();
    private final ApiMetrics api = new ApiMetrics();
    private final ExtenderMetrics extenders = new ExtenderMetrics();
    private final DispatcherMetrics dispatcher = new DispatcherMetrics(
            () -> read(live -> live.commands().view(), new DispatcherView(Map.of(), Map.of(), 0)));
    private final HealthMetrics health = new HealthMetrics();
    private final ProcessMetrics process;
    private final BuildMetrics build;
    private final FeatureMetrics features;
    private final ShownMetrics shown;
    private final List<Companion> companions;
    private volatile Optional<LiveScheduler> scheduler = Optional.empty();

    LiveMetrics(String leaseName, String version, FeatureGates gates, ShownMetrics shown, List<Companion> companions) {
        this.shown = shown;
        this.companions = List.copyOf(companions);
        process = new ProcessMetrics(
                () -> read(live -> live.mailbox().size(), 0),
                () -> read(LiveScheduler::isSynced, false),
                () -> read(live -> live.isLeading(), false),
                leaseName);
        build = new BuildMetrics(version);
        features = new FeatureMetrics(gates);
    }

    ApiObserver api() {
        return api;
    }

    HealthObserver health() {
        return health;
    }

    LiveObservers observers() {
        LoopObserver loop = (_, _, nanos) -> process.looped(nanos);
        return new LiveObservers(engine, dispatcher, extenders, loop, companions);
    }

    /** Serves the metrics of this scheduler, which has to be the one that reports to {@link #observers}. */
    MetricsEndpoint of(LiveScheduler live) {
        scheduler = Optional.of(live);
        List<Instruments> all = new ArrayList<>(List.of(
                engine,
                api,
                dispatcher,
                extenders,
                process,
                new RecorderMetrics(
                        () -> live.recorded().counts().events().getAsLong(),
                        () -> live.recorded().counts().bytes().getAsLong(),
                        () -> live.recorded().counts().lost().getAsLong()),
                build,
                features,
                shown,
                new ProcessResources(),
                new EngineGauges(() -> ask(live, companions.stream().anyMatch(Companion::showsSpread))),
                new WatchMetrics(live::watchStatuses, InstantSource.system())));
        companions.forEach(each -> all.add(each.metrics()));
        return MetricsEndpoint.withJvm(all, shown);
    }

    /** Serves the metrics of health checks, {@code /metrics/slis}. */
    MetricsEndpoint slis() {
        return MetricsEndpoint.of(List.of(health, new ProcessStart()));
    }

    private <T> T read(Function<LiveScheduler, T> read, T before) {
        return scheduler.map(read).orElse(before);
    }

    private static Optional<EngineReadings> ask(LiveScheduler live, boolean othersShowSpread) {
        try {
            return Optional.of(live.ask(scheduler -> readings(scheduler, othersShowSpread))
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException | TimeoutException | CancellationException noAnswer) {
            return Optional.empty();
        }
    }

    private static EngineReadings readings(Scheduler scheduler, boolean othersShowSpread) {
        QueueCounts counts = scheduler.queue().counts();
        int onTheirWay = scheduler.onTheirWay().size();
        return new EngineReadings(
                new EngineReadings.Pending(counts.active(), counts.backoff(), counts.unschedulable(), counts.gated()),
                new EngineReadings.Extenders(scheduler.atExtenders().isPresent() ? 1 : 0, counts.needingExtenders()),
                counts.inFlight(),
                onTheirWay,
                scheduler.cluster().nodes().count(),
                scheduler.cluster().pods().count(),
                onTheirWay,
                counts.rejected().stream()
                        .map(one -> new EngineReadings.Rejected(one.plugin(), one.profile(), one.pods()))
                        .toList(),
                othersShowSpread ? Optional.empty() : Optional.of(SpreadSkews.worst(scheduler.cluster(), MOST_SKEWS)));
    }
}
