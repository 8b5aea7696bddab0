package io.evenkeel.app.metrics;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import io.evenkeel.app.http.Routes.Endpoint;
import io.evenkeel.app.http.Routes.HealthCheck.HealthObserver;
import io.evenkeel.app.metrics.Family.Families;
import io.evenkeel.app.metrics.Histogram.Bounds;
import io.evenkeel.app.metrics.MetricsOptions.ShownMetrics;
import io.evenkeel.app.option.Commit;
import io.evenkeel.cluster.SpreadSkews;
import io.evenkeel.cluster.SpreadSkews.Spread;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.Difference;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.FeatureGates.KnownGates.FeatureGate;
import io.evenkeel.config.FeatureGates.KnownGates.FeatureGate.Stage;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.dispatch.CommandKind;
import io.evenkeel.kube.dispatch.CommandSink.DispatcherView;
import io.evenkeel.kube.dispatch.DispatcherObserver;
import io.evenkeel.kube.extender.Extenders.ExtenderObserver;
import io.evenkeel.kube.watch.Watches.WatchStatus;
import io.evenkeel.model.Pod;
import io.evenkeel.plugins.devices.DeviceCounts;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The metrics of a live scheduler. Made before it, as its parts are given their observers when they are made. */
public final class LiveMetrics {
    private static final long PATIENCE_SECONDS = 2;

    private final FeatureGates gates;
    private final EngineMetrics engine;
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
        this.gates = gates;
        engine = new EngineMetrics(gates);
        process = new ProcessMetrics(
                () -> read(Measured::eventsWaiting, 0),
                () -> read(Measured::isSynced, false),
                () -> read(Measured::isLeading, false),
                leaseName);
        build = new BuildMetrics(version, gates.level());
        features = new FeatureMetrics(gates);
    }

    /** A live scheduler, as its metrics ask it at each scrape, by any thread. */
    public interface Measured {
        boolean isSynced();

        boolean isLeading();

        /** Events that wait for the engine. */
        int eventsWaiting();

        DispatcherView dispatcher();

        RecordCounts recorded();

        List<WatchStatus> watchStatuses();

        <T> CompletableFuture<T> ask(Function<Scheduler, T> question);

        /** The pods that wait and that this scheduler alone counts; on its thread. */
        QueueCounts counted(QueueCounts inQueue);

        <T> T answer(Function<Scheduler, T> question);
    }

    /** How much has been recorded; {@code lost} events were taken in and are in no record. */
    public record RecordCounts(long events, long bytes, long lost) {
        /** Of a run that is not recorded. */
        public static final RecordCounts NONE = new RecordCounts(0, 0, 0);
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
        List<Instruments> all = new ArrayList<>(List.of(api, build, features, shown, new ProcessResources()));
        all.addAll(ofScheduler(live, othersShowSpread));
        all.addAll(beside);
        return MetricsEndpoint.withJvm(all, shown);
    }

    /** Serves the metrics of a process whose schedulers come and go, each of which reports to metrics of its own. */
    public MetricsEndpoint of(Instruments schedulers, List<Instruments> beside) {
        List<Instruments> all =
                new ArrayList<>(List.of(api, build, features, shown, new ProcessResources(), schedulers));
        all.addAll(beside);
        return MetricsEndpoint.withJvm(all, shown);
    }

    /** The metrics of this scheduler alone, without those of its process. */
    public List<Instruments> ofScheduler(Measured live, boolean othersShowSpread) {
        scheduler = Optional.of(live);
        return List.of(
                engine,
                dispatcher,
                extenders,
                process,
                new RecorderMetrics(live::recorded),
                new EngineGauges(() -> ask(live, othersShowSpread), gates),
                new WatchMetrics(live::watchStatuses, InstantSource.system()));
    }

    /** Serves the metrics of health checks, {@code /metrics/slis}. */
    public MetricsEndpoint slis() {
        return MetricsEndpoint.of(List.of(health));
    }

    /** Serves the resources of pods, {@code /metrics/resources}; none are shown where another replica shows them. */
    public static Endpoint podResources(Supplier<Optional<List<Pod>>> pods) {
        return new PodResourcesEndpoint(pods);
    }

    private <T> T read(Function<Measured, T> read, T before) {
        return scheduler.map(read).orElse(before);
    }

    private static Optional<EngineGauges.Readings> ask(Measured live, boolean othersShowSpread) {
        try {
            return Optional.of(live.ask(scheduler -> EngineGauges.Readings.of(
                            scheduler, live.counted(scheduler.queue().counts()), othersShowSpread))
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException | TimeoutException | CancellationException noAnswer) {
            return Optional.empty();
        }
    }

    /** Metrics of requests to the API server, recorded by many threads. */
    static final class ApiMetrics implements ApiObserver, Instruments {
        private static final Bounds BOUNDS = Bounds.seconds(0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60);

        private static final Bounds SIZES =
                Bounds.counts(64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216);

        private final Families families = new Families();
        private final Family<Count> requests = families.counter(
                "rest_client_requests",
                "Number of HTTP requests, partitioned by status code, method, and host.",
                "code",
                "method",
                "host");
        private final Family<Histogram> requestDuration = families.histogram(
                "rest_client_request_duration_seconds",
                "Request latency in seconds. Broken down by verb, and host.",
                BOUNDS,
                "verb",
                "host");
        private final Family<Histogram> limiterDuration = families.histogram(
                "rest_client_rate_limiter_duration_seconds",
                "Client side rate limiter latency in seconds. Broken down by verb, and host.",
                BOUNDS,
                "verb",
                "host");

        private final Family<Histogram> requestSize = families.histogram(
                "rest_client_request_size_bytes",
                "Request size in bytes. Broken down by verb and host.",
                SIZES,
                "verb",
                "host");
        private final Family<Histogram> responseSize = families.histogram(
                "rest_client_response_size_bytes",
                "Response size in bytes. Broken down by verb and host.",
                SIZES,
                "verb",
                "host");

        @Override
        public void requested(String method, String host, String result, long nanos) {
            requests.with(result, method, host).addShared(1);
            requestDuration.with(method, host).recordShared(nanos);
        }

        @Override
        public void heldBack(String method, String host, long nanos) {
            limiterDuration.with(method, host).recordShared(nanos);
        }

        @Override
        public void sent(String method, String host, long bytes) {
            requestSize.with(method, host).recordShared(bytes);
        }

        @Override
        public void received(String method, String host, long bytes) {
            responseSize.with(method, host).recordShared(bytes);
        }

        @Override
        public Stream<MetricSnapshot> read() {
            return families.read();
        }
    }

    /**
     * Version and build, as labels of gauges that are 1.
     *
     * @param level the release of Kubernetes that counts where components of a cluster are compared by their versions, as the alert
     *     KubeVersionMismatch of kubernetes-mixin does; the version of Evenkeel comes after it as build metadata, as distributions of
     *     Kubernetes have theirs
     */
    record BuildMetrics(String version, CompatibilityLevel level) implements Instruments {
        @Override
        public Stream<MetricSnapshot> read() {
            Runtime.Version java = Runtime.version();
            return Stream.of(
                    new Gauge(
                                    "evenkeel_build_info",
                                    "Build information, always 1.",
                                    "version",
                                    "java_version",
                                    "commit",
                                    "commit_date")
                            .set(1, version, java.toString(), Commit.OF_BUILD.id(), Commit.OF_BUILD.date())
                            .snapshot(),
                    new Gauge(
                                    "kubernetes_build_info",
                                    "A metric with a constant '1' value labeled by major, minor, git version, git commit,"
                                            + " git tree state, build date, Go version, and compiler from which Kubernetes"
                                            + " was built, and platform on which it is running.",
                                    "major",
                                    "minor",
                                    "git_version",
                                    "git_commit",
                                    "git_tree_state",
                                    "build_date",
                                    "go_version",
                                    "compiler",
                                    "platform")
                            .set(
                                    1,
                                    level.major(),
                                    level.minor(),
                                    gitVersion(),
                                    "",
                                    "",
                                    "",
                                    "java" + java.feature() + "." + java.interim() + "." + java.update(),
                                    "javac",
                                    platform(System.getProperty("os.name"), System.getProperty("os.arch")))
                            .snapshot());
        }

        /** Such as {@code v1.36.0+evenkeel.0.1.0}. */
        private String gitVersion() {
            return "v" + level + ".0+evenkeel" + (version.matches("[0-9A-Za-z.-]+") ? "." + version : "");
        }

        /** System and architecture by Go's names. */
        static String platform(String system, String architecture) {
            String machine = switch (architecture) {
                case "x86_64" -> "amd64";
                case "aarch64" -> "arm64";
                default -> architecture;
            };
            String name = system.toLowerCase(Locale.ROOT);
            return (name.startsWith("mac") ? "darwin" : name.split(" ", 2)[0]) + "/" + machine;
        }
    }

    /** Metrics of the calls to extenders, recorded by many threads. Without extenders there are none. */
    static final class ExtenderMetrics implements ExtenderObserver, Instruments {
        private final Families families = new Families();
        private final Family<Histogram> calls = families.histogram(
                "evenkeel_extender_call_duration_seconds",
                "Duration of calls to extenders, by result.",
                Bounds.exponentialSeconds(0.001, 2, 15),
                "extender",
                "verb",
                "result");

        @Override
        public void called(String extender, String verb, boolean success, Duration took) {
            calls.with(extender, verb, success ? "success" : "error").recordShared(took.toNanos());
        }

        @Override
        public Stream<MetricSnapshot> read() {
            return families.read();
        }
    }

    /** The setting of each feature gate. */
    static final class FeatureMetrics implements Instruments {
        private final MetricSnapshot snapshot;

        FeatureMetrics(FeatureGates gates) {
            Gauge enabled = new Gauge(
                    "kubernetes_feature_enabled",
                    "This metric records the data about the stage and enablement of a k8s feature.",
                    "name",
                    "stage");
            gates.known().all().forEach(gate -> enabled.set(gates.isOn(gate) ? 1 : 0, gate.name(), stage(gate)));
            snapshot = enabled.snapshot();
        }

        /** Empty for a feature that is generally available. */
        private static String stage(FeatureGate gate) {
            return gate.stage() == Stage.GA ? "" : gate.stage().name();
        }

        @Override
        public Stream<MetricSnapshot> read() {
            return Stream.of(snapshot);
        }
    }

    /**
     * Results of health checks, as all Kubernetes components show them on {@code /metrics/slis} for objectives of availability,
     * and the start of the process, as the JVM's metrics, which have it too, are not there.
     */
    static final class HealthMetrics implements HealthObserver, Instruments {
        private final Map<Check, Boolean> last = new ConcurrentHashMap<>();
        private final Families families = new Families();
        private final Family<Count> results = families.counter(
                "kubernetes_healthchecks",
                "This metric records the results of all healthcheck.",
                "name",
                "type",
                "status");

        private record Check(String name, String type) {}

        @Override
        public void checked(String check, String path, boolean healthy) {
            String type = path.substring(1);
            last.put(new Check(check, type), healthy);
            results.with(check, type, healthy ? "success" : "error").addShared(1);
        }

        @Override
        public Stream<MetricSnapshot> read() {
            Gauge now = new Gauge(
                    "kubernetes_healthcheck",
                    "This metric records the result of a single healthcheck.",
                    "name",
                    "type");
            last.forEach((check, healthy) -> now.set(healthy ? 1 : 0, check.name, check.type));
            MetricSnapshot start = Gauge.of(
                    "process_start_time_seconds",
                    "Start time of the process since unix epoch in seconds.",
                    ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3);
            return Stream.concat(families.read(), Stream.of(now.snapshot(), start));
        }
    }

    /** Metrics around the engine: its loop, its mailbox, readiness, leadership. The loop is recorded by the engine's thread. */
    static final class ProcessMetrics implements Instruments {
        private final Families families = new Families();
        private final Histogram loop = families.histogram(
                "evenkeel_engine_loop_seconds",
                "Duration of a round of the engine's loop, without waiting.",
                Bounds.exponentialSeconds(0.00001, 4, 10));
        private final Count busyNanos =
                families.seconds("evenkeel_engine_busy_seconds", "Working time of the engine's thread.");
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
            Stream<MetricSnapshot> now = Stream.of(
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
            return Stream.concat(families.read(), now);
        }
    }

    /** Metrics of the record of a run; all are 0 where none is made. */
    record RecorderMetrics(Supplier<RecordCounts> counts) implements Instruments {
        @Override
        public Stream<MetricSnapshot> read() {
            RecordCounts now = counts.get();
            return Stream.of(
                    Family.counted("evenkeel_recorded_events", "Events taken in and recorded.", (double) now.events()),
                    Family.counted("evenkeel_recorded_bytes", "Bytes written to the record.", (double) now.bytes()),
                    Family.counted("evenkeel_unrecorded_events", "Events taken in while the record had a gap.", (double)
                            now.lost()));
        }
    }

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
            Families counted = new Families();
            Family<Count> events =
                    counted.counter("evenkeel_watch_events", "Watch events and bookmarks received.", "kind");
            Family<Count> relists = counted.counter(
                    "evenkeel_watch_relists", "Lists of all objects of a kind, the first included.", "kind");
            Family<Count> errors =
                    counted.counter("evenkeel_watch_errors", "Refused requests and broken streams.", "kind");
            Family<Count> unreadable = counted.counter(
                    "evenkeel_watch_unreadable", "Events and objects skipped because they cannot be read.", "kind");
            for (WatchStatus status : statuses.get()) {
                String kind = status.kind();
                if (!status.absent()) {
                    connected.set(status.connected() ? 1 : 0, kind);
                }
                status.quietFor(clock.instant())
                        .map(Duration::toMillis)
                        .ifPresent(millis -> quiet.set(millis / 1e3, kind));
                events.with(kind).add(status.events());
                relists.with(kind).add(status.relists());
                errors.with(kind).add(status.errors());
                unreadable.with(kind).add(status.unreadable());
            }
            return Stream.concat(Stream.of(connected.snapshot(), quiet.snapshot()), counted.read());
        }
    }

    /** Metrics of the dispatcher's calls to the API server, recorded by many threads. */
    static final class DispatcherMetrics implements DispatcherObserver, Instruments {
        private static final String SUCCESS = "success";
        private static final String ERROR = "error";

        private final Families families = new Families();
        private final Family<Count> calls = families.counter(
                "scheduler_async_api_call_execution",
                "[ALPHA] Total number of API calls executed by the async dispatcher.",
                "call_type",
                "result");
        private final Family<Histogram> callDuration = families.histogram(
                "scheduler_async_api_call_execution_duration_seconds",
                "[ALPHA] Duration in seconds for executing API call in the async dispatcher.",
                Bounds.exponentialSeconds(0.001, 2, 15),
                "call_type",
                "result");
        private final Family<Count> retries =
                families.counter("evenkeel_dispatcher_retries", "Retried calls.", "call_type");
        private final Family<Count> drops = families.counter(
                "evenkeel_dispatcher_dropped", "Commands not carried out, by reason.", "call_type", "reason");
        private final Count folded =
                families.counter("evenkeel_events_folded", "Repeated events counted in place of written.");
        private final Supplier<DispatcherView> view;

        /** All series exist from the start: a counter that appears with 1 has no rate. */
        DispatcherMetrics(Supplier<DispatcherView> view) {
            this.view = view;
            for (CommandKind kind : CommandKind.values()) {
                retries.with(nameOf(kind));
                calls.with(nameOf(kind), SUCCESS);
                calls.with(nameOf(kind), ERROR);
                for (Drop why : Drop.values()) {
                    drops.with(nameOf(kind), nameOf(why));
                }
            }
        }

        @Override
        public void called(CommandKind kind, boolean success, Duration duration) {
            String result = success ? SUCCESS : ERROR;
            calls.with(nameOf(kind), result).addShared(1);
            callDuration.with(nameOf(kind), result).recordShared(duration.toNanos());
        }

        @Override
        public void retried(CommandKind kind) {
            retries.with(nameOf(kind)).addShared(1);
        }

        @Override
        public void dropped(CommandKind kind, Drop why) {
            drops.with(nameOf(kind), nameOf(why)).addShared(1);
        }

        @Override
        public void folded() {
            folded.addShared(1);
        }

        @Override
        public Stream<MetricSnapshot> read() {
            DispatcherView now = view.get();
            Gauge pending = new Gauge(
                    "scheduler_pending_async_api_calls",
                    "[ALPHA] Number of API calls currently pending in the async queue.",
                    "call_type");
            for (CommandKind kind : CommandKind.values()) {
                pending.set(now.waiting().getOrDefault(kind, 0), nameOf(kind));
            }
            return Stream.concat(families.read(), Stream.of(pending.snapshot()));
        }

        private static String nameOf(Drop why) {
            return why.name().toLowerCase(Locale.ROOT);
        }

        /** The reference's names where it makes such calls itself. */
        private static String nameOf(CommandKind kind) {
            return switch (kind) {
                case BIND -> "pod_binding";
                case WRITE_OBJECT -> "pod_volumes";
                case PATCH_STATUS -> "pod_status_patch";
                case LOOKUP -> "pod_lookup";
                case EVICT -> "pod_eviction";
                case RECORD_EVENT -> "event";
            };
        }
    }

    /**
     * Gauges that are read from the engine's state at each scrape. While the engine does not answer in time, its last answer is
     * shown, and {@code evenkeel_engine_answers} is 0.
     */
    static final class EngineGauges implements Instruments {
        private static final int MOST_SKEWS = 100;
        private static final long MOST_LOOKS_AT_DEVICES = 50_000;

        private final Supplier<Optional<Readings>> ask;
        private final boolean countsEntities;
        private volatile Optional<Readings> last = Optional.empty();

        /** @param ask waits for the engine's answer for a while, and gives up then; called by many threads */
        EngineGauges(Supplier<Optional<Readings>> ask, FeatureGates gates) {
            this.ask = ask;
            countsEntities = gates.has(Difference.QUEUED_ENTITIES_COUNT);
        }

        /** Figures of the engine's state at one moment, which are counted nowhere; taken on the engine's thread. */
        record Readings(
                QueueCounts queue,
                int askedOfExtenders,
                int binding,
                int nodes,
                int pods,
                Optional<SpreadSkews.Worst> skews,
                DeviceCounts devices) {

            static Readings of(Scheduler scheduler, QueueCounts queue, boolean othersShowSpread) {
                return new Readings(
                        queue,
                        scheduler.atExtenders().isPresent() ? 1 : 0,
                        scheduler.onTheirWay().size(),
                        scheduler.cluster().nodes().count(),
                        scheduler.cluster().pods().count(),
                        othersShowSpread
                                ? Optional.empty()
                                : Optional.of(SpreadSkews.worst(scheduler.cluster(), MOST_SKEWS)),
                        DeviceCounts.of(scheduler.cluster(), MOST_LOOKS_AT_DEVICES));
            }
        }

        @Override
        public Stream<MetricSnapshot> read() {
            Optional<Readings> fresh = ask.get();
            if (fresh.isPresent()) {
                last = fresh;
            }
            MetricSnapshot own = Gauge.of(
                    "evenkeel_engine_answers",
                    "1 if the engine answered this scrape in time.",
                    fresh.isPresent() ? 1 : 0);
            return Stream.concat(
                    Stream.of(own),
                    last.stream()
                            .flatMap(readings -> Stream.of(
                                            queue(readings),
                                            countsEntities ? entities(readings) : Stream.<MetricSnapshot>empty(),
                                            cluster(readings))
                                    .flatMap(metrics -> metrics)));
        }

        private static Stream<MetricSnapshot> queue(Readings readings) {
            QueueCounts pending = readings.queue();
            Gauge rejected = new Gauge(
                    "scheduler_unschedulable_pods",
                    "[BETA] The number of unschedulable pods broken down by plugin name. A pod will increment the gauge for all"
                            + " plugins that caused it to not schedule and so this metric have meaning only when broken"
                            + " down by plugin.",
                    "plugin",
                    "profile");
            pending.rejected().forEach(one -> rejected.set(one.pods(), one.plugin(), one.profile()));
            return Stream.of(
                    new Gauge("scheduler_pending_pods", "[STABLE] Number of pending pods, by the queue type.", "queue")
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
                                    "[ALPHA] Number of events currently tracked in the scheduling queue.",
                                    "event")
                            .set(pending.inFlight(), "PodPopped")
                            .snapshot(),
                    new Gauge(
                                    "scheduler_goroutines",
                                    "[BETA] Number of running goroutines split by the work they do such as binding.",
                                    "operation")
                            .set(readings.binding(), "binding")
                            .snapshot());
        }

        /** As with the reference's gate GenericWorkload off, each pod is queued for itself. */
        private static Stream<MetricSnapshot> entities(Readings readings) {
            QueueCounts pending = readings.queue();
            return Stream.of(new Gauge(
                            "scheduler_queued_entities",
                            "[ALPHA] Number of queued scheduling entities ('pod' or 'podgroup'; 'pod' stands for individual pods that"
                                    + " are not members of any podgroup) by the queue type.",
                            "queue",
                            "type")
                    .set(pending.active(), "active", "pod")
                    .set(pending.backoff(), "backoff", "pod")
                    .set(pending.unschedulable(), "unschedulable", "pod")
                    .set(pending.gated(), "gated", "pod")
                    .snapshot());
        }

        private static Stream<MetricSnapshot> cluster(Readings readings) {
            Gauge size = new Gauge(
                            "scheduler_cache_size",
                            "[ALPHA] Number of nodes, pods, and assumed (bound) pods in the scheduler cache.",
                            "type")
                    .set(readings.nodes(), "nodes")
                    .set(readings.pods(), "pods")
                    .set(readings.binding(), "assumed_pods");
            return Stream.of(
                            Stream.of(size.snapshot()),
                            readings.skews().stream().flatMap(EngineGauges::spread),
                            devices(readings.devices()))
                    .flatMap(metrics -> metrics);
        }

        /** Without devices there are none. */
        private static Stream<MetricSnapshot> devices(DeviceCounts counts) {
            if (counts.rows().isEmpty()) {
                return Stream.empty();
            }
            Gauge devices = new Gauge(
                    "evenkeel_devices",
                    "Devices by state; one that several classes select is in the row of each.",
                    "driver",
                    "class",
                    "state");
            counts.rows()
                    .forEach(row -> row.states()
                            .forEach((state, count) ->
                                    devices.set(count, row.driver(), row.deviceClass(), state.label())));
            Gauge fragmentation = new Gauge(
                    "evenkeel_device_fragmentation_ratio",
                    "Share of the partitionable devices' free capacity that is on counter sets partly in use.",
                    "driver");
            counts.partitioned().forEach(one -> fragmentation.set(one.fragmentation(), one.driver()));
            return Stream.of(
                    devices.snapshot(),
                    fragmentation.snapshot(),
                    Gauge.of(
                            "evenkeel_devices_left_out",
                            "Rows of driver and class without evenkeel_devices, as there are too many.",
                            counts.leftOut()));
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

    /**
     * The process's use of its machine, by the names that all programs in Go have and dashboards of Kubernetes
     * components ask for. What the system does not tell is left out. {@code process_start_time_seconds}, the last of them,
     * comes with the JVM's metrics.
     */
    static final class ProcessResources implements Instruments {
        private final Path process;

        ProcessResources() {
            this(Path.of("/proc/self"));
        }

        ProcessResources(Path process) {
            this.process = process;
        }

        @Override
        public Stream<MetricSnapshot> read() {
            ProcFile status = ProcFile.read(process.resolve("status"));
            ProcFile limits = ProcFile.read(process.resolve("limits"));
            ProcFile network = ProcFile.read(process.resolve("net/netstat"));
            OptionalDouble cpuNanos = OptionalDouble.empty();
            OptionalDouble openFiles = OptionalDouble.empty();
            OptionalDouble mostFiles = OptionalDouble.empty();
            if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
                cpuNanos = known(system.getProcessCpuTime());
                if (system instanceof UnixOperatingSystemMXBean unix) {
                    openFiles = known(unix.getOpenFileDescriptorCount());
                    mostFiles = known(unix.getMaxFileDescriptorCount());
                }
            }
            return Stream.of(
                            counter(
                                    "process_cpu_seconds",
                                    "Total user and system CPU time spent in seconds.",
                                    inSeconds(cpuNanos)),
                            gauge("process_open_fds", "Number of open file descriptors.", openFiles),
                            gauge("process_max_fds", "Maximum number of open file descriptors.", mostFiles),
                            gauge(
                                    "process_virtual_memory_bytes",
                                    "Virtual memory size in bytes.",
                                    status.statusBytes("VmSize")),
                            gauge(
                                    "process_virtual_memory_max_bytes",
                                    "Maximum amount of virtual memory available in bytes.",
                                    limits.softLimit("Max address space")),
                            gauge(
                                    "process_resident_memory_bytes",
                                    "Resident memory size in bytes.",
                                    status.statusBytes("VmRSS")),
                            counter(
                                    "process_network_receive_bytes",
                                    "Number of bytes received by the process over the network.",
                                    network.networkCount("IpExt", "InOctets")),
                            counter(
                                    "process_network_transmit_bytes",
                                    "Number of bytes sent by the process over the network.",
                                    network.networkCount("IpExt", "OutOctets")))
                    .flatMap(metric -> metric);
        }

        private static OptionalDouble known(long value) {
            return value < 0 ? OptionalDouble.empty() : OptionalDouble.of((double) value);
        }

        private static OptionalDouble inSeconds(OptionalDouble nanos) {
            return nanos.isPresent() ? OptionalDouble.of(nanos.getAsDouble() / 1e9) : nanos;
        }

        private static Stream<MetricSnapshot> gauge(String name, String help, OptionalDouble value) {
            return value.isEmpty() ? Stream.empty() : Stream.of(Gauge.of(name, help, value.getAsDouble()));
        }

        private static Stream<MetricSnapshot> counter(String name, String help, OptionalDouble value) {
            return value.isEmpty() ? Stream.empty() : Stream.of(Family.counted(name, help, value.getAsDouble()));
        }

        /** A file in which Linux tells of a process, as it was when it was read; without lines where there is no such file. */
        private record ProcFile(List<String> lines) {
            /** The number for no limit, as a C program's {@code RLIM_INFINITY}. */
            private static final double UNLIMITED = Math.pow(2, 64) - 1;

            static ProcFile read(Path file) {
                try {
                    return new ProcFile(Files.readString(file, StandardCharsets.ISO_8859_1)
                            .lines()
                            .toList());
                } catch (IOException notLinux) {
                    return new ProcFile(List.of());
                }
            }

            /** A line of {@code status} such as {@code VmRSS:  1768 kB}. */
            OptionalDouble statusBytes(String name) {
                return beginningWith(name + ":")
                        .map(line -> line.substring(name.length() + 1)
                                .replace("kB", "")
                                .strip())
                        .mapToDouble(kilobytes -> Double.parseDouble(kilobytes) * 1024)
                        .findFirst();
            }

            /** A line of {@code limits} such as {@code Max address space  unlimited  unlimited  bytes}: the first of the two. */
            OptionalDouble softLimit(String name) {
                return beginningWith(name)
                        .map(line -> line.substring(name.length()).strip().split("\\s+", 2)[0])
                        .mapToDouble(limit -> limit.equals("unlimited") ? UNLIMITED : Double.parseDouble(limit))
                        .findFirst();
            }

            /** {@code net/netstat} is of two lines a protocol: names, then as many numbers. */
            OptionalDouble networkCount(String protocol, String name) {
                List<String[]> rows = beginningWith(protocol + ":")
                        .map(line -> line.split(" ", -1))
                        .toList();
                if (rows.size() == 2) {
                    int column = List.of(rows.getFirst()).indexOf(name);
                    if (column > 0 && column < rows.getLast().length) {
                        return OptionalDouble.of(Double.parseDouble(rows.getLast()[column]));
                    }
                }
                return OptionalDouble.empty();
            }

            private Stream<String> beginningWith(String prefix) {
                return lines.stream().filter(line -> line.startsWith(prefix));
            }
        }
    }
}
