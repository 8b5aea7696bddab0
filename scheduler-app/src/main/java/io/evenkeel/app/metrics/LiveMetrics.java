package io.evenkeel.app.metrics;

import io.evenkeel.app.http.Routes.Endpoint;
import io.evenkeel.app.http.Routes.HealthCheck.HealthObserver;
import io.evenkeel.app.record.Recording;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.dispatch.CommandSink.DispatcherView;
import io.evenkeel.kube.dispatch.DispatcherObserver;
import io.evenkeel.kube.extender.Extenders.ExtenderObserver;
import io.evenkeel.kube.watch.Watches.WatchStatus;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** The metrics of a live scheduler. Made before it, as its parts are given their observers when they are made. */
public final class LiveMetrics {
    private static final long PATIENCE_SECONDS = 2;

    private final EngineMetrics engine = new EngineMetrics();
    private final ApiMetrics api = new ApiMetrics();
    private final ExtenderMetrics extenders = new ExtenderMetrics();
    private final DispatcherMetrics dispatcher =
            new DispatcherMetrics(() -> read(Measured::dispatcher, new DispatcherView(Map.of(), Map.of(), 0)));
    private final HealthMetrics health = new HealthMetrics();
    private final ProcessMetrics process;
    private final BuildMetrics build;
    private final FeatureMetrics features;
    private final ShownMetrics shown;
    private volatile Optional<Measured> scheduler = Optional.empty();

    public LiveMetrics(String leaseName, String version, FeatureGates gates, ShownMetrics shown) {
        this.shown = shown;
        process = new ProcessMetrics(
                () -> read(Measured::eventsWaiting, 0),
                () -> read(Measured::isSynced, false),
                () -> read(Measured::isLeading, false),
                leaseName);
        build = new BuildMetrics(version);
        features = new FeatureMetrics(gates);
    }

    /** A live scheduler, as its metrics ask it at each scrape, by any thread. */
    public interface Measured {
        boolean isSynced();

        boolean isLeading();

        /** Events that wait for the engine. */
        int eventsWaiting();

        DispatcherView dispatcher();

        Recording.Counts recorded();

        List<WatchStatus> watchStatuses();

        <T> CompletableFuture<T> ask(Function<Scheduler, T> question);

        <T> T answer(Function<Scheduler, T> question);
    }

    public ApiObserver api() {
        return api;
    }

    public HealthObserver health() {
        return health;
    }

    public SchedulerObserver engine() {
        return engine;
    }

    public DispatcherObserver dispatcher() {
        return dispatcher;
    }

    public ExtenderObserver extenders() {
        return extenders;
    }

    /** A round of the engine's loop took so long, waiting not included. */
    public void looped(long nanos) {
        process.looped(nanos);
    }

    /**
     * Serves the metrics of this scheduler, which has to be the one that reports here.
     *
     * @param beside metrics of what runs beside it
     * @param othersShowSpread whether they show how pods are spread
     */
    public MetricsEndpoint of(Measured live, List<Instruments> beside, boolean othersShowSpread) {
        scheduler = Optional.of(live);
        List<Instruments> all = new ArrayList<>(List.of(
                engine,
                api,
                dispatcher,
                extenders,
                process,
                new RecorderMetrics(live::recorded),
                build,
                features,
                shown,
                new ProcessResources(),
                new EngineGauges(() -> ask(live, othersShowSpread)),
                new WatchMetrics(live::watchStatuses, InstantSource.system())));
        all.addAll(beside);
        return MetricsEndpoint.withJvm(all, shown);
    }

    /** Serves the metrics of health checks, {@code /metrics/slis}. */
    public MetricsEndpoint slis() {
        return MetricsEndpoint.of(List.of(health));
    }

    /** Serves the resources of pods, {@code /metrics/resources}. */
    public static Endpoint podResources(Measured live) {
        return new PodResourcesEndpoint(
                () -> live.isLeading() ? Optional.of(live.answer(Scheduler::pods)) : Optional.empty());
    }

    private <T> T read(Function<Measured, T> read, T before) {
        return scheduler.map(read).orElse(before);
    }

    private static Optional<EngineGauges.Readings> ask(Measured live, boolean othersShowSpread) {
        try {
            return Optional.of(live.ask(scheduler -> EngineGauges.Readings.of(scheduler, othersShowSpread))
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException | TimeoutException | CancellationException noAnswer) {
            return Optional.empty();
        }
    }
}
