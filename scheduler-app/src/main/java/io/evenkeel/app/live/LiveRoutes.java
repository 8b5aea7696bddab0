package io.evenkeel.app.live;

import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.Routes;
import io.evenkeel.app.http.Routes.HealthCheck;
import io.evenkeel.app.http.Zpage;
import io.evenkeel.app.http.Zpage.FlagsPage;
import io.evenkeel.app.http.Zpage.StatusPage;
import io.evenkeel.app.live.LiveRoutes.LiveDumps.ServerComparison;
import io.evenkeel.app.logging.LoggingOptions;
import io.evenkeel.app.metrics.LiveMetrics;
import io.evenkeel.app.metrics.MetricsEndpoint;
import io.evenkeel.cluster.ClusterDump;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.FeatureGates.Feature;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationWriter;
import io.evenkeel.config.file.GoDuration;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.engine.decision.Question;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.NoAnswer;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.write.Tree;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
        this(
                scheduler,
                measured.of(
                        scheduler,
                        companions.stream().map(Companion::metrics).toList(),
                        companions.stream().anyMatch(Companion::showsSpread)),
                measured,
                configuration,
                flags,
                transport,
                version,
                companions);
    }

    /**
     * Those of shards, with their metrics.
     *
     * @param answering what is on every replica
     */
    LiveRoutes(
            LiveShards shards,
            LiveMetrics measured,
            SchedulerConfiguration configuration,
            Map<String, String> flags,
            ApiTransport transport,
            String version,
            List<? extends Companion> answering) {
        this(
                shards,
                measured.of(
                        shards.metrics(),
                        answering.stream().map(Companion::metrics).toList()),
                measured,
                configuration,
                flags,
                transport,
                version,
                answering);
    }

    private LiveRoutes(
            LiveEngines scheduler,
            MetricsEndpoint endpoint,
            LiveMetrics measured,
            SchedulerConfiguration configuration,
            Map<String, String> flags,
            ApiTransport transport,
            String version,
            List<? extends Companion> companions) {
        metrics = endpoint;
        slis = measured.slis();
        AllDumps dumps = new AllDumps(scheduler, transport);
        List<HealthCheck> alive = Liveness.of(scheduler);
        routes = new Routes(measured.health())
                .addHealth("/healthz", alive)
                .addHealth("/livez", alive)
                .addHealth("/readyz", Liveness.ready(scheduler))
                .add("/metrics", metrics)
                .add("/metrics/slis", slis)
                .add("/metrics/resources", LiveMetrics.podResources(() -> pods(scheduler)))
                .addConfigz(() -> new ConfigurationWriter().writeJson(configuration))
                .addDump("/debug/cache", dumps::cacheText, dumps::cacheJson)
                .addDump("/debug/queue", dumps::queueText, dumps::queueJson)
                .add("/version", request -> Reply.json(200, "{\"gitVersion\":\"v" + version + "\"}"));
        companions.forEach(each -> each.addTo(routes));
        if (configuration.enableProfiling()) {
            routes.addSetter("/debug/flags/v", new LogFlag("klog.logging.verbosity", LoggingOptions::setVerbosity))
                    .addSetter("/debug/flags/vmodule", new LogFlag("klog.logging.vmodule", LoggingOptions::setModules))
                    .add("/debug/pprof/profile", new Profile(Profile.PROCESSOR))
                    .add("/debug/pprof/allocs", new Profile(Profile.ALLOCATIONS));
        }
        if (configuration.featureGates().isOn(Feature.COMPONENT_FLAGZ)) {
            routes.add("/flagz", new Zpage("flagz", new FlagsPage(flags)));
        }
        if (configuration.featureGates().isOn(Feature.COMPONENT_STATUSZ)) {
            routes.add(
                    "/statusz",
                    new Zpage(
                            "statusz",
                            status(version, configuration.featureGates().level())));
        }
    }

    /** Only who leads shows pods, and of those on nodes the overseer none, so that none is counted twice. */
    private static Optional<List<Pod>> pods(LiveEngines engines) {
        List<Pod> all = new ArrayList<>();
        boolean leads = false;
        for (Map.Entry<String, LiveScheduler> each : engines.engines().entrySet()) {
            boolean isOverseer = each.getKey().equals(LiveShards.OVERSEER);
            if (each.getValue().isLeading()) {
                leads = true;
                each.getValue().answer(Scheduler::pods).stream()
                        .filter(pod -> !isOverseer || !pod.isPlaced())
                        .forEach(all::add);
            }
        }
        return leads ? Optional.of(all) : Optional.empty();
    }

    /** A flag of the log that may be changed while the process runs, in the words of the reference. */
    private record LogFlag(String name, Consumer<String> flag) implements Routes.Setter {
        private static final Logger log = LoggerFactory.getLogger(LogFlag.class);

        @Override
        public Reply set(Request request, String value) {
            try {
                flag.accept(value);
            } catch (IllegalArgumentException malformed) {
                return Reply.text(
                        400,
                        "failed set " + name + " " + Excerpt.oneLine(value) + ": " + malformed.getMessage() + "\n");
            }
            log.atInfo()
                    .setMessage("Log verbosity changed")
                    .addKeyValue("flag", name)
                    .addKeyValue("value", value)
                    .addKeyValue("user", request.user())
                    .log();
            return Reply.text(200, "successfully set " + name + " to " + value);
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

    StatusPage status(String version, CompatibilityLevel level) {
        List<String> listed = LISTED.stream().filter(routes.paths()::contains).toList();
        Instant started =
                Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());
        return new StatusPage(started, version, level.toString(), listed, InstantSource.system());
    }

    /**
     * The reasons to restart a scheduler if they last, and whether it is ready. None of the reasons comes from without: a
     * server that is away, slow or refuses makes writes wait too, but not where they may start.
     */
    static final class Liveness {
        private static final Duration TOO_LONG = Duration.ofSeconds(30);

        private Liveness() {}

        static List<HealthCheck> of(LiveEngines engines) {
            return List.of(
                    check("engine", () -> all(engines, each -> each.loop().isAlive()), "the engine has ended"),
                    leaderElection(engines),
                    patient(
                            "engineTurns",
                            () -> longest(engines, each -> each.loop().sinceTurn()),
                            "the engine is at one turn"),
                    patient(
                            "writes",
                            () -> longest(engines, each -> each.commands().overdue()),
                            "a write that nothing holds back is not begun"));
        }

        private static boolean all(LiveEngines engines, Predicate<LiveScheduler> well) {
            return engines.engines().values().stream().allMatch(well);
        }

        private static Duration longest(LiveEngines engines, Function<LiveScheduler, Duration> lasting) {
            return engines.engines().values().stream()
                    .map(lasting)
                    .max(Comparator.naturalOrder())
                    .orElse(Duration.ZERO);
        }

        /** By the names and in the words of kube-scheduler. */
        static List<HealthCheck> ready(LiveEngines engines) {
            return List.of(
                    leaderElection(engines),
                    check("shutdown", () -> !engines.isStopping(), "process is shutting down"),
                    check(
                            "sched-handler-sync",
                            () -> engines.takesPart() && all(engines, LiveScheduler::isSynced),
                            "handlers are not fully synchronized"));
        }

        private static HealthCheck leaderElection(LiveEngines engines) {
            return check(
                    "leaderElection", engines::isElectionHealthy, "lease expired but the elector has not stepped down");
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

    /**
     * The dumps of all schedulers, each under its shard where there are some. Only the overseer knows what the API server has as a
     * whole, so no other is compared with it.
     */
    private record AllDumps(LiveEngines engines, ApiTransport transport) {
        String queueText() {
            return text(LiveDumps::queueText);
        }

        String queueJson() {
            return json(LiveDumps::queueTree);
        }

        String cacheText() {
            return text(LiveDumps::cacheText);
        }

        String cacheJson() {
            return json(LiveDumps::cacheTree);
        }

        private String text(Function<LiveDumps, String> dump) {
            return engines.engines().entrySet().stream()
                    .map(each -> (each.getKey().isEmpty() ? "" : "shard " + each.getKey() + "\n")
                            + dump.apply(dumps(each.getKey(), each.getValue())))
                    .collect(Collectors.joining("\n"));
        }

        private String json(Function<LiveDumps, Tree> dump) {
            Map<String, Tree> all = new LinkedHashMap<>();
            engines.engines().forEach((shard, live) -> all.put(shard, dump.apply(dumps(shard, live))));
            Tree alone = all.get("");
            return (alone == null ? new Tree().put("shards", all, tree -> tree) : alone).json();
        }

        private LiveDumps dumps(String shard, LiveScheduler live) {
            boolean knowsAll = shard.isEmpty() || shard.equals(LiveShards.OVERSEER);
            return new LiveDumps(
                    live, knowsAll ? Optional.of(new ServerComparison(live, transport)) : Optional.empty());
        }
    }

    /** Dumps of a live scheduler's cache and queue, as text for people and JSON for programs. */
    record LiveDumps(LiveScheduler live, Optional<ServerComparison> comparison) {
        String queueText() {
            return live.answer(scheduler -> {
                StringBuilder text = new StringBuilder();
                for (QueueEntryView entry : inQueues(scheduler)) {
                    text.append(entry.state().metricName() + " " + entry.key() + " priority=" + entry.priority()
                            + " attempts=" + entry.attempts() + lasting(entry.sinceNanos()) + " by="
                            + entry.rejectedBy()
                            + (entry.nominatedNode().isEmpty() ? "" : " nominated=" + entry.nominatedNode())
                            + (entry.waitsForExtenders() ? " waits-for=EXTENDERS\n" : "\n"));
                }
                scheduler
                        .atExtenders()
                        .ifPresent(question ->
                                text.append("extenders " + question.pod().key() + " about="
                                        + question.about() + " nodes=" + question.nodeCount()
                                        + lasting(question.progress().startedAt()) + "\n"));
                for (OnItsWay pod : scheduler.onTheirWay()) {
                    text.append("binding " + pod.pod().key() + " node=" + pod.node() + " waits-for=" + pod.waitingFor()
                            + lasting(pod.since()) + "\n");
                }
                return text.toString();
            });
        }

        Tree queueTree() {
            return live.answer(scheduler -> new Tree()
                    .put("pods", inQueues(scheduler), this::tree)
                    .putPresent("extenders", scheduler.atExtenders().map(this::tree))
                    .put("binding", scheduler.onTheirWay(), this::tree));
        }

        private Tree tree(QueueEntryView entry) {
            return new Tree()
                    .put("pod", entry.key())
                    .put("queue", entry.state().metricName())
                    .put("priority", entry.priority())
                    .put("attempts", entry.attempts())
                    .put("seconds", seconds(entry.sinceNanos()))
                    .put("rejectedBy", entry.rejectedBy())
                    .putNonEmpty("nominatedNode", entry.nominatedNode())
                    .putNonEmpty("waitsFor", entry.waitsForExtenders() ? "EXTENDERS" : "");
        }

        private Tree tree(Question asked) {
            return new Tree()
                    .put("pod", asked.pod().key())
                    .put("nodes", asked.nodeCount())
                    .put("about", asked.about().name())
                    .put("seconds", seconds(asked.progress().startedAt()));
        }

        private Tree tree(OnItsWay pod) {
            return new Tree()
                    .put("pod", pod.pod().key())
                    .put("node", pod.node())
                    .put("waitsFor", pod.waitingFor())
                    .put("seconds", seconds(pod.since()));
        }

        private double seconds(long since) {
            return age(since).toMillis() / 1e3;
        }

        /** Leaves out pods in flight, which are in no queue: they are at the extenders, or being bound. */
        private static List<QueueEntryView> inQueues(Scheduler scheduler) {
            return scheduler.queue().view().stream()
                    .filter(entry -> entry.state() != QueueState.IN_FLIGHT)
                    .toList();
        }

        String cacheText() {
            return comparison.map(compared -> compared.text() + "\n").orElse("")
                    + live.answer(scheduler -> ClusterDump.of(scheduler.cluster()));
        }

        Tree cacheTree() {
            return comparison.map(ServerComparison::tree).orElseGet(Tree::new);
        }

        private String lasting(long since) {
            return " for=" + GoDuration.rounded(age(since));
        }

        private Duration age(long since) {
            return Duration.ofNanos(live.now() - since);
        }

        /**
         * Compares the scheduler's nodes and placed pods with the API server's, as kube-scheduler's comparer does. The two are
         * not read at the same moment, so what changes meanwhile may show.
         *
         * @param silence of the server after which it counts as one that cannot be asked
         */
        record ServerComparison(LiveScheduler live, ApiTransport transport, Duration silence) {
            /** Spares the server a reading of its database, which a whole list would cost it. */
            private static final String WHATEVER_IS_CACHED = "?resourceVersion=0";

            /** Shorter than a watch's patience, as a client waits for the comparison. */
            private static final Duration SILENCE = Duration.ofSeconds(10);

            ServerComparison(LiveScheduler live, ApiTransport transport) {
                this(live, transport, SILENCE);
            }

            /** The objects that one side has and the other has not, or has elsewhere. */
            private record Differences(List<String> missed, List<String> redundant, int compared) {
                Tree tree() {
                    return new Tree()
                            .put("compared", compared)
                            .put("missed", missed)
                            .put("redundant", redundant);
                }
            }

            String text() {
                try {
                    Differences nodes = nodes();
                    Differences pods = pods();
                    return "nodes: " + nodes.compared() + " compared, missed " + nodes.missed() + ", redundant "
                            + nodes.redundant() + "\npods: " + pods.compared() + " compared, missed " + pods.missed()
                            + ", redundant " + pods.redundant() + "\n";
                } catch (IOException unreachable) {
                    return notCompared(unreachable) + "\n";
                }
            }

            Tree tree() {
                try {
                    return new Tree().put("nodes", nodes().tree()).put("pods", pods().tree());
                } catch (IOException unreachable) {
                    return new Tree().put("error", notCompared(unreachable));
                }
            }

            private static String notCompared(IOException unreachable) {
                return "not compared with the API server: " + NoAnswer.why(unreachable);
            }

            private Differences nodes() throws IOException {
                Map<String, String> there = new TreeMap<>();
                read("/api/v1/nodes" + WHATEVER_IS_CACHED, object -> {
                    if (object instanceof Node node) {
                        there.put(node.name(), "");
                    }
                });
                return compare(there, live.answer(ServerComparison::knownNodes));
            }

            private Differences pods() throws IOException {
                Map<String, String> there = new TreeMap<>();
                read("/api/v1/pods" + WHATEVER_IS_CACHED, object -> {
                    if (object instanceof Pod pod
                            && pod.isPlaced()
                            && !pod.status().isFinished()) {
                        there.put(pod.key(), pod.spec().nodeName());
                    }
                });
                return compare(there, live.answer(ServerComparison::knownPods));
            }

            private static Map<String, String> knownNodes(Scheduler scheduler) {
                Map<String, String> nodes = new TreeMap<>();
                ClusterView cluster = scheduler.cluster();
                for (int id = 0; id < cluster.nodes().end(); id++) {
                    if (cluster.nodes().isPresent(id)) {
                        nodes.put(cluster.nodes().name(id), "");
                    }
                }
                return nodes;
            }

            /** Assumed pods are left out: the server need not know of them yet. */
            private static Map<String, String> knownPods(Scheduler scheduler) {
                Map<String, String> pods = new TreeMap<>();
                ClusterView cluster = scheduler.cluster();
                for (Pod pod : cluster.placedPods()) {
                    if (!cluster.isAssumed(pod.key())) {
                        pods.put(pod.key(), pod.spec().nodeName());
                    }
                }
                return pods;
            }

            private void read(String path, Consumer<KubernetesObject> out) throws IOException {
                try (ApiAnswer answer = transport.stream(ApiCall.get(path).withSilence(silence))) {
                    if (answer.code() != 200) {
                        throw new IOException("GET " + path + " was answered with " + answer.code());
                    }
                    new ObjectReader().readEach(answer.body(), out);
                } catch (SocketTimeoutException silent) {
                    throw new IOException("it has said nothing for " + GoDuration.format(silence), silent);
                }
            }

            private static Differences compare(Map<String, String> there, Map<String, String> here) {
                List<String> missed = new ArrayList<>();
                List<String> redundant = new ArrayList<>();
                there.forEach((name, node) -> {
                    if (!node.equals(here.get(name))) {
                        missed.add(node.isEmpty() ? name : name + " on " + node);
                    }
                });
                here.forEach((name, node) -> {
                    if (!node.equals(there.get(name))) {
                        redundant.add(node.isEmpty() ? name : name + " on " + node);
                    }
                });
                return new Differences(missed, redundant, there.size());
            }
        }
    }
}
