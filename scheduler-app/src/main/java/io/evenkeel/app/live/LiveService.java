package io.evenkeel.app.live;

import io.evenkeel.api.ScorePlugin;
import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.Companion.Answering;
import io.evenkeel.app.http.serve.ServingOptions;
import io.evenkeel.app.http.serve.ServingOptions.Serving;
import io.evenkeel.app.live.LiveScheduler.Ending;
import io.evenkeel.app.metrics.LiveMetrics;
import io.evenkeel.app.metrics.MetricsOptions.ShownMetrics;
import io.evenkeel.app.option.ServerRelease;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.Extender;
import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.ShardSettings;
import io.evenkeel.config.file.NamedPlugins;
import io.evenkeel.framework.OutweighingPlugin;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.framework.run.ScoreRunner;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.kube.client.OutageLog;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process behind {@code evenkeel run}: a live scheduler, what it serves, and how it ends. */
public record LiveService(
        SchedulerConfiguration configuration,
        ConnectionOptions connection,
        ServingOptions serving,
        LiveOptions options,
        ShownMetrics shown,
        String version,
        Map<String, String> flags,
        Supplier<List<Companion>> companions) {
    private static final Logger log = LoggerFactory.getLogger(LiveService.class);
    private static final long SECONDS_BETWEEN_CHECKS = 10;
    private static final long MINUTES_BETWEEN_RELEASES = 5;
    private static final int ATTEMPTS = 3;
    private static final long NANOS_BETWEEN_ATTEMPTS = 1_000_000_000;

    public LiveService {
        flags = Map.copyOf(flags);
    }

    /** The release of the API server there, over a connection of its own. */
    public static Optional<ServerRelease> releaseAt(ConnectionOptions connection, String version) {
        try (HttpTransport transport = HttpTransport.open(connection, version, ApiObserver.NONE)) {
            return releaseOf(transport);
        }
    }

    /**
     * The release of an API server. One that does not answer is asked again a few times: without an answer it is not known, and a
     * line says so.
     */
    public static Optional<ServerRelease> releaseOf(ApiTransport server) {
        Optional<ServerRelease> release = Optional.empty();
        for (int i = 0; i < ATTEMPTS && release.isEmpty(); i++) {
            LockSupport.parkNanos(i == 0 ? 0 : NANOS_BETWEEN_ATTEMPTS);
            release = ServerRelease.of(server);
        }
        if (release.isEmpty()) {
            log.atWarn()
                    .setMessage("API server does not tell its release")
                    .addKeyValue("emulated", CompatibilityLevel.FIRST)
                    .log();
        } else if (release.get().isNewer()) {
            log.atWarn()
                    .setMessage("API server is newer than what is proved")
                    .addKeyValue("server", release.get())
                    .addKeyValue("emulated", release.get().level())
                    .addKeyValue("see", "docs/compatibility.md")
                    .log();
        }
        return release;
    }

    /**
     * Schedules until told to stop; the exit code.
     *
     * @param followsServer whether the level is that of the API server
     */
    public int run(Duration grace, Optional<Path> file, Optional<String> text, boolean followsServer)
            throws IOException, InterruptedException {
        try (HttpTransport transport = HttpTransport.open(connection, version, ApiObserver.NONE)) {
            return run(transport, grace, file, text, followsServer);
        }
    }

    /** The same, over connections that may be there already: to agree on keys is much of a start. */
    public int run(
            HttpTransport transport, Duration grace, Optional<Path> file, Optional<String> text, boolean followsServer)
            throws IOException, InterruptedException {
        LiveMetrics metrics = new LiveMetrics(
                configuration.leaderElection().resourceName(), version, configuration.featureGates(), shown);
        transport.observe(new OutageLog(metrics.api()));
        if (isSharded()) {
            LiveShards shards = new LiveShards(
                    configuration, transport, options, version, shown, this::besideOverseer, grace, Machine.SYSTEM);
            List<Answering> answering = Answering.of(companions.get());
            try (WholeCluster _ = new WholeCluster(
                    configuration,
                    transport,
                    options,
                    answering,
                    shards::parted,
                    WholeCluster.KEPT,
                    LiveService::collectWhatWasLetGo,
                    Machine.SYSTEM)) {
                LiveRoutes routes =
                        new LiveRoutes(shards, metrics, configuration, flags, transport, version, answering);
                return serve(shards, routes, answering, transport, grace, file, text, followsServer);
            }
        }
        List<Companion> beside = companions.get();
        LiveScheduler scheduler =
                LiveScheduler.assemble(configuration, transport, options, LiveObservers.of(metrics, beside));
        LiveRoutes routes = new LiveRoutes(scheduler, metrics, configuration, flags, transport, version, beside);
        return serve(scheduler, routes, beside, transport, grace, file, text, followsServer);
    }

    private List<Companion> besideOverseer() {
        return companions.get().stream()
                .filter(each -> !(each instanceof Answering))
                .toList();
    }

    /** Who only looks on sees the cluster as a whole. */
    private boolean isSharded() {
        return configuration.shards().shards() > 1 && !options.observing();
    }

    private int serve(
            LiveEngines engines,
            LiveRoutes paths,
            List<? extends Companion> beside,
            HttpTransport transport,
            Duration grace,
            Optional<Path> file,
            Optional<String> text,
            boolean followsServer)
            throws IOException, InterruptedException {
        try (LiveEngines scheduler = engines;
                LiveRoutes routes = paths;
                Serving served = serving.start(
                        routes.routes(),
                        reviewer(serving.authenticationKubeconfig(), transport),
                        reviewer(serving.authorizationKubeconfig(), transport),
                        scheduler.supervisor());
                ScheduledExecutorService chores = Executors.newSingleThreadScheduledExecutor()) {
            log.atInfo()
                    .setMessage("Starting Evenkeel")
                    .addKeyValue("version", version)
                    .addKeyValue("emulated", configuration.featureGates().level())
                    .addKeyValue("cluster", transport.host())
                    .addKeyValue(
                            "profiles",
                            configuration.profiles().stream()
                                    .map(Profile::schedulerName)
                                    .toList())
                    .addKeyValue("dryRun", options.dryRun())
                    .log();
            if (beside.stream().anyMatch(Companion::moves) && options.observing()) {
                log.info("Rebalancing beside another scheduler: no pod is scheduled here");
            } else if (options.observing()) {
                log.info("Observing: no pod is scheduled, and nothing is written");
            }
            ConfigurationWarnings.log(configuration, text.orElse(""), options, options.plugins());
            Thread hook = new Thread(() -> stop(scheduler, grace), "shutdown");
            Runtime.getRuntime().addShutdownHook(hook);
            scheduler.begin();
            beside.forEach(companion -> companion.serve(served.guard()));
            collectOnce(chores, scheduler::takesPart, System::gc);
            file.ifPresent(path -> every(
                    chores,
                    scheduler
                            .supervisor()
                            .watching("configuration-file", new ConfigurationFileCheck(path, text.orElse("")))));
            if (followsServer) {
                Runnable check = scheduler
                        .supervisor()
                        .watching(
                                "server-release",
                                new ReleaseCheck(
                                        transport, configuration.featureGates().level()));
                var _ = chores.scheduleWithFixedDelay(
                        check, MINUTES_BETWEEN_RELEASES, MINUTES_BETWEEN_RELEASES, TimeUnit.MINUTES);
            }
            Ending ending = scheduler.ended().join();
            chores.shutdownNow();
            if (ending != Ending.STOPPED && calledOff(hook)) {
                return 1;
            }
            hook.join();
            return 0;
        }
    }

    /** False if the hook runs already: the process was asked to stop, and its exit code is that of stopping. */
    private static boolean calledOff(Thread hook) {
        try {
            return Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException stopping) {
            return false;
        }
    }

    /**
     * Gives back what the first lists have left: by itself the collector of a small heap looks at what is old only when the heap is
     * full. Meanwhile all stands still, for 1 to 2 ms a live MB.
     */
    static void collectOnce(ScheduledExecutorService chores, BooleanSupplier known, Runnable collection) {
        Runnable attempt = () -> {
            if (known.getAsBoolean()) {
                collection.run();
            } else {
                collectOnce(chores, known, collection);
            }
        };
        var _ = chores.schedule(attempt, SECONDS_BETWEEN_CHECKS, TimeUnit.SECONDS);
    }

    /** A little later: threads of connections hold on to what they read last until there is more, such as a Lease. */
    private static void collectWhatWasLetGo() {
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(SECONDS_BETWEEN_CHECKS));
        System.gc();
    }

    private static void every(ScheduledExecutorService chores, Runnable chore) {
        var _ = chores.scheduleWithFixedDelay(chore, SECONDS_BETWEEN_CHECKS, SECONDS_BETWEEN_CHECKS, TimeUnit.SECONDS);
    }

    /** A signal would make the exit code 143, as if something had gone wrong. */
    private static void stop(LiveEngines scheduler, Duration grace) {
        log.info("Stopping");
        scheduler.stop(grace);
        log.info("Stopped");
        Runtime.getRuntime().halt(0);
    }

    /** The API server that reviews tokens or access: another one, where a kubeconfig names it. */
    private Optional<ApiTransport> reviewer(Optional<Path> kubeconfig, ApiTransport usual) {
        return Optional.of(kubeconfig
                .<ApiTransport>map(path -> HttpTransport.open(
                        ConnectionOptions.of(Optional.of(path)), version, new OutageLog(ApiObserver.NONE)))
                .orElse(usual));
    }

    /** Says once that the API server was upgraded, or put back, so that another level is its. */
    static final class ReleaseCheck implements Runnable {
        private final ApiTransport server;
        private final CompatibilityLevel level;
        private boolean reported;

        ReleaseCheck(ApiTransport server, CompatibilityLevel level) {
            this.server = server;
            this.level = level;
        }

        @Override
        public void run() {
            if (reported) {
                return;
            }
            ServerRelease.of(server).filter(now -> now.level() != level).ifPresent(now -> {
                reported = true;
                log.atWarn()
                        .setMessage("API server has another release, restart to answer as its kube-scheduler")
                        .addKeyValue("server", now)
                        .addKeyValue("emulated", level)
                        .log();
            });
        }
    }

    /** Reports once when the configuration file is not any more what was read at the start, or cannot be read. */
    static final class ConfigurationFileCheck implements Runnable {
        private static final Logger log = LoggerFactory.getLogger(ConfigurationFileCheck.class);

        private final Path file;
        private final byte[] read;
        private boolean reported;
        private boolean unreadable;

        public ConfigurationFileCheck(Path file, String read) {
            this.file = file;
            this.read = read.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void run() {
            if (reported) {
                return;
            }
            try {
                reported = hasChanged();
                unreadable = false;
                if (reported) {
                    log.atWarn()
                            .setMessage("Configuration file has changed, restart to use it")
                            .addKeyValue("file", file)
                            .log();
                }
            } catch (IOException gone) {
                if (!unreadable) {
                    log.atWarn()
                            .setMessage("Cannot read the configuration file any more")
                            .addKeyValue("file", file)
                            .log();
                }
                unreadable = true;
            }
        }

        /** No more is read than was read before: by now it may be a file that no memory holds. */
        private boolean hasChanged() throws IOException {
            try (InputStream now = Files.newInputStream(file)) {
                return !Arrays.equals(now.readNBytes(read.length + 1), read);
            }
        }
    }

    /** Warnings at the start about parts of the configuration that may do something else than its author expects. */
    static final class ConfigurationWarnings {
        private static final Logger log = LoggerFactory.getLogger(ConfigurationWarnings.class);

        private ConfigurationWarnings() {}

        /** @param text what the configuration was read from; empty for the default one */
        static void log(
                SchedulerConfiguration configuration, String text, LiveOptions options, PluginRegistry registry) {
            warnOfRaces(configuration, options.isReadOnly());
            tellOfGatesWithoutEffect(configuration.featureGates());
            warnOfPluginsWithoutEffect(text, registry);
            tellOfShards(configuration.shards());
            tellOfGroupsWithoutEffect(configuration);
            tellOfArgumentsWithoutEffect(configuration);
            warnOfOutweighedPolicies(configuration, !options.observing(), registry);
            if (options.observing()) {
                tellOfExtenders(configuration);
            }
        }

        private static void tellOfExtenders(SchedulerConfiguration configuration) {
            if (!configuration.extenders().isEmpty()) {
                log.info("Extenders are not asked: what they would have said is left out of comparisons");
            }
        }

        private static void warnOfPluginsWithoutEffect(String text, PluginRegistry registry) {
            for (NamedPlugins named : text.isEmpty() ? List.<NamedPlugins>of() : NamedPlugins.in(text)) {
                named.disabled().stream()
                        .filter(plugin -> !registry.isTaken(plugin))
                        .forEach(plugin -> log.atWarn()
                                .setMessage("Configuration disables a plugin that there is not")
                                .addKeyValue("profile", named.profile())
                                .addKeyValue("plugin", plugin + registry.hintAt(plugin))
                                .log());
                if (!named.gangs().isEmpty()) {
                    log.atInfo()
                            .setMessage("Coscheduling works at multiPoint, and these points have no effect")
                            .addKeyValue("profile", named.profile())
                            .addKeyValue("points", named.gangs())
                            .addKeyValue("why", "a gang leaves the queue whole, and no pod waits on a node for others")
                            .log();
                }
            }
        }

        private static void tellOfGroupsWithoutEffect(SchedulerConfiguration configuration) {
            configuration.profiles().stream()
                    .filter(profile -> profile.plugins().sets().containsKey(ExtensionPoint.POD_GROUP_POST_FILTER))
                    .forEach(profile -> log.atInfo()
                            .setMessage("podGroupPostFilter has no effect")
                            .addKeyValue("profile", profile.schedulerName())
                            .addKeyValue("why", "the search for a gang finds who goes for it")
                            .log());
        }

        private static void tellOfShards(ShardSettings shards) {
            if (shards.shards() == 1 && shards.refusesAcross()) {
                log.atInfo()
                        .setMessage("shards.across has no effect")
                        .addKeyValue("why", "one shard can judge every pod")
                        .log();
            }
            if (shards.values().contains("")) {
                log.atInfo()
                        .setMessage("A shard has the nodes whose label is empty")
                        .addKeyValue("label", shards.nodeLabel())
                        .addKeyValue("others", "those without the label are in the last shard")
                        .log();
            }
        }

        private static void tellOfArgumentsWithoutEffect(SchedulerConfiguration configuration) {
            for (Profile profile : configuration.profiles()) {
                profile.pluginArgs().forEach((plugin, args) -> {
                    List<String> withoutEffect = args.fieldsWithoutEffect();
                    if (!withoutEffect.isEmpty()) {
                        log.atInfo()
                                .setMessage("Plugin arguments have no effect")
                                .addKeyValue("profile", profile.schedulerName())
                                .addKeyValue("plugin", plugin)
                                .addKeyValue("args", withoutEffect)
                                .log();
                    }
                });
            }
        }

        /** A preference of policies is worth a point at least: that is to be more than all that others can give together. */
        private static void warnOfOutweighedPolicies(
                SchedulerConfiguration configuration, boolean askingExtenders, PluginRegistry registry) {
            double extenders = configuration.extenders().stream()
                    .filter(extender ->
                            askingExtenders && !extender.prioritizeVerb().isEmpty())
                    .mapToDouble(Extender::weight)
                    .sum();
            for (Profile profile : configuration.profiles()) {
                if (!hasOutweighing(profile, registry)) {
                    continue;
                }
                List<ScoreRunner.WeightedScore> scores = SchedulingProfile.of(
                                profile, registry, ClusterView.empty(configuration.featureGates()))
                        .scores()
                        .scores();
                double most = ScorePlugin.MAX_SCORE
                        * (extenders
                                + scores.stream()
                                        .filter(score -> !isOfPolicies(score))
                                        .mapToDouble(score -> Math.abs((double) score.weight()))
                                        .sum());
                scores.stream()
                        .filter(score -> isOfPolicies(score) && score.weight() <= most)
                        .forEach(score -> log.atWarn()
                                .setMessage("Preferences of policies do not outweigh all others")
                                .addKeyValue("profile", profile.schedulerName())
                                .addKeyValue("weight", score.weight())
                                .addKeyValue("othersGiveUpTo", Math.round(most))
                                .log());
            }
        }

        private static boolean hasOutweighing(Profile profile, PluginRegistry registry) {
            return profile.plugins().enabledNames().stream()
                    .flatMap(name -> registry.find(name).stream())
                    .anyMatch(factory -> OutweighingPlugin.class.isAssignableFrom(factory.type()));
        }

        private static boolean isOfPolicies(ScoreRunner.WeightedScore score) {
            return score.plugin() instanceof OutweighingPlugin;
        }

        private static void tellOfGatesWithoutEffect(FeatureGates gates) {
            List<String> withoutEffect = gates.withoutEffect();
            if (!withoutEffect.isEmpty()) {
                log.atInfo()
                        .setMessage("Feature gates have no effect")
                        .addKeyValue("gates", withoutEffect)
                        .log();
            }
        }

        private static void warnOfRaces(SchedulerConfiguration configuration, boolean isReadOnly) {
            boolean races = configuration.profiles().stream()
                    .map(Profile::schedulerName)
                    .anyMatch(Profile.DEFAULT_SCHEDULER_NAME::equals);
            if (races && !isReadOnly) {
                log.atWarn()
                        .setMessage("A profile is named default-scheduler: do not run a kube-scheduler beside it")
                        .addKeyValue("profile", Profile.DEFAULT_SCHEDULER_NAME)
                        .log();
            }
        }
    }
}
