package io.evenkeel.app.live;

import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Routes;
import io.evenkeel.app.http.Routes.HealthCheck;
import io.evenkeel.app.http.Zpage;
import io.evenkeel.app.http.Zpage.FlagsPage;
import io.evenkeel.app.http.Zpage.StatusPage;
import io.evenkeel.app.live.LiveDumps.ServerComparison;
import io.evenkeel.app.metrics.LiveMetrics;
import io.evenkeel.app.metrics.LiveMetrics.KubernetesVersion;
import io.evenkeel.app.metrics.MetricsEndpoint;
import io.evenkeel.config.FeatureGates.Feature;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationWriter;
import io.evenkeel.kube.api.ApiTransport;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The paths that a live scheduler serves; its metrics are collected until it is closed. */
final class LiveRoutes implements AutoCloseable {
    /** The paths that kube-scheduler's status names. All paths, Evenkeel's own too, are told at {@code /}. */
    private static final List<String> LISTED =
            List.of("/configz", "/flagz", "/healthz", "/livez", "/metrics", "/readyz");

    private final MetricsEndpoint metrics;
    private final MetricsEndpoint slis;
    private final Routes routes;

    LiveRoutes(
            LiveScheduler scheduler,
            LiveMetrics measured,
            SchedulerConfiguration configuration,
            Map<String, String> flags,
            ApiTransport transport,
            String version,
            List<Companion> companions) {
        metrics = measured.of(
                scheduler,
                companions.stream().map(Companion::metrics).toList(),
                companions.stream().anyMatch(Companion::showsSpread));
        slis = measured.slis();
        LiveDumps dumps = new LiveDumps(scheduler, new ServerComparison(scheduler, transport));
        List<HealthCheck> alive = Liveness.of(scheduler);
        routes = new Routes(measured.health())
                .addHealth("/healthz", alive)
                .addHealth("/livez", alive)
                .addHealth("/readyz", Liveness.ready(scheduler))
                .add("/metrics", metrics)
                .add("/metrics/slis", slis)
                .add("/metrics/resources", LiveMetrics.podResources(scheduler))
                .addConfigz(() -> new ConfigurationWriter().writeJson(configuration))
                .addDump("/debug/cache", dumps::cacheText, dumps::cacheJson)
                .addDump("/debug/queue", dumps::queueText, dumps::queueJson)
                .add("/version", request -> Reply.json(200, "{\"gitVersion\":\"v" + version + "\"}"));
        companions.forEach(each -> each.addTo(routes));
        if (configuration.featureGates().isOn(Feature.COMPONENT_FLAGZ)) {
            routes.add("/flagz", new Zpage("flagz", new FlagsPage(flags)));
        }
        if (configuration.featureGates().isOn(Feature.COMPONENT_STATUSZ)) {
            routes.add("/statusz", new Zpage("statusz", status(version)));
        }
    }

    Routes routes() {
        return routes;
    }

    @Override
    public void close() {
        metrics.close();
        slis.close();
    }

    StatusPage status(String version) {
        List<String> listed = LISTED.stream().filter(routes.paths()::contains).toList();
        Instant started =
                Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());
        return new StatusPage(started, version, KubernetesVersion.MINOR_RELEASE, listed, InstantSource.system());
    }

    /**
     * The reasons to restart a scheduler if they last, and whether it is ready. None of the reasons comes from without: a
     * server that is away, slow or refuses makes writes wait too, but not where they may start.
     */
    static final class Liveness {
        private static final Duration TOO_LONG = Duration.ofSeconds(30);

        private Liveness() {}

        static List<HealthCheck> of(LiveScheduler scheduler) {
            return List.of(
                    check("engine", scheduler.loop()::isAlive, "the engine has ended"),
                    leaderElection(scheduler),
                    patient("engineTurns", scheduler.loop()::sinceTurn, "the engine is at one turn"),
                    patient("writes", scheduler.commands()::overdue, "a write that nothing holds back is not begun"));
        }

        /** By the names and in the words of kube-scheduler. */
        static List<HealthCheck> ready(LiveScheduler scheduler) {
            return List.of(
                    leaderElection(scheduler),
                    check("shutdown", () -> !scheduler.isStopping(), "process is shutting down"),
                    check("sched-handler-sync", scheduler::isSynced, "handlers are not fully synchronized"));
        }

        private static HealthCheck leaderElection(LiveScheduler scheduler) {
            return check(
                    "leaderElection",
                    scheduler.leadership()::isHealthy,
                    "lease expired but the elector has not stepped down");
        }

        private static HealthCheck check(String name, BooleanSupplier isWell, String trouble) {
            return new HealthCheck(name, () -> isWell.getAsBoolean() ? Optional.empty() : Optional.of(trouble));
        }

        private static HealthCheck patient(String name, Supplier<Duration> lasting, String trouble) {
            return new HealthCheck(
                    name,
                    () -> Optional.of(lasting.get())
                            .filter(time -> time.compareTo(TOO_LONG) > 0)
                            .map(time -> trouble + " for " + time.toSeconds() + " s"));
        }
    }
}
