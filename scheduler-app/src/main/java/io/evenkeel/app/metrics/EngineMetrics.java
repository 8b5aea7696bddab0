package io.evenkeel.app.metrics;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ObjectPatch;
import io.evenkeel.api.ObjectPatch.Form;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.Status.Code;
import io.evenkeel.app.metrics.Family.Families;
import io.evenkeel.app.metrics.Histogram.Bounds;
import io.evenkeel.config.Difference;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.group.GroupObserver;
import io.evenkeel.framework.run.ProfileObserver;
import io.evenkeel.framework.run.ProfileObserver.MeasuredPoint;
import io.evenkeel.framework.run.ProfileObserver.Stopwatch;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.queue.QueueObserver;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Metrics of attempts, decisions, events, plugins and the queue, recorded by the engine's thread. */
final class EngineMetrics implements SchedulerObserver, Instruments {
    private static final int ATTEMPTS_TOLD_APART = 14;
    private static final String WAITING = "UnschedulablePod";

    private final Families families = new Families();
    private final Attempts<AttemptResult> attempts = new Attempts<>(
            AttemptResult.class,
            families.counter(
                    "scheduler_schedule_attempts",
                    "[STABLE] Number of attempts to schedule pods, by the result. 'unschedulable' means a pod could not be"
                            + " scheduled, while 'error' means an internal scheduler problem.",
                    "result",
                    "profile"),
            families.histogram(
                    "scheduler_scheduling_attempt_duration_seconds",
                    "[STABLE] Scheduling attempt latency in seconds (scheduling algorithm + binding)",
                    Bounds.exponentialSeconds(0.001, 2, 15),
                    "result",
                    "profile"));
    private final Histogram algorithm;
    private final Family<Histogram> slowness = families.histogram(
            "scheduler_pod_scheduling_sli_duration_seconds",
            "[BETA] E2e latency for a pod being scheduled, from the time the pod enters the scheduling queue and might involve"
                    + " multiple scheduling attempts.",
            Bounds.exponentialSeconds(0.01, 2, 20),
            "attempts");
    private final Histogram attemptsOfPod = families.histogram(
            "scheduler_pod_scheduling_attempts",
            "[STABLE] Number of attempts to successfully schedule a pod.",
            Bounds.exponentialCount(5));
    private final Family<Histogram> permitWait = families.histogram(
            "scheduler_permit_wait_duration_seconds",
            "[BETA] Duration of waiting on permit.",
            Bounds.exponentialSeconds(0.001, 2, 15),
            "result");
    private final Family<Count> deviceWaits = families.counter(
            "scheduler_dra_bindingconditions_allocations",
            "[ALPHA] Number of allocations using devices with BindingConditions, counted per driver per scheduling attempt",
            "profile",
            "driver",
            "status");
    private final Family<Histogram> deviceWait = families.histogram(
            "scheduler_dra_bindingconditions_wait_duration_seconds",
            "[ALPHA] Time in seconds spent waiting for BindingConditions to be satisfied during PreBind.",
            Bounds.exponentialSeconds(0.1, 2, 14),
            "profile",
            "driver",
            "status");
    private final Family<Count> claimsMade;
    private final boolean tellsOwners;
    private final Family<Histogram> eventDuration = families.histogram(
            "scheduler_event_handling_duration_seconds",
            "[ALPHA] Event handling latency in seconds.",
            Bounds.exponentialSeconds(0.0001, 2, 12),
            "event");

    /** In the reference's words goroutines; here as there, the time from the choice until all who go are on their way out. */
    private final Family<Histogram> preemptionDuration = families.histogram(
            "scheduler_preemption_goroutines_duration_seconds",
            "[ALPHA] Duration in seconds for running goroutines for the preemption.",
            Bounds.exponentialSeconds(0.01, 2, 20),
            "result");

    private final Family<Count> preemptionExecutions = families.counter(
            "scheduler_preemption_goroutines_execution", "[ALPHA] Number of preemption goroutines executed.", "result");
    private final Count preemptionsTried = families.counter(
            "scheduler_preemption_attempts", "[STABLE] Total preemption attempts in the cluster till now");
    private final Histogram victims = families.histogram(
            "scheduler_preemption_victims",
            "[STABLE] Number of selected preemption victims",
            Bounds.exponentialCount(7));
    private final Count deferred = families.counter(
            "evenkeel_namespaces_deferred",
            "Number of times that pods of a namespace began to wait behind those of others, because of the"
                    + " work they take.");

    /**
     * Changes of kinds of Kubernetes that kube-scheduler takes in without measuring it, or not at all. Of kinds that are not
     * Kubernetes' own all are measured.
     */
    private static final Set<String> NOT_MEASURED = Stream.of(
                    all(
                            Kinds.NAMESPACE,
                            Kinds.PRIORITY_CLASS,
                            Kinds.POD_DISRUPTION_BUDGET,
                            Kinds.SERVICE,
                            Kinds.REPLICATION_CONTROLLER,
                            Kinds.REPLICA_SET,
                            Kinds.STATEFUL_SET),
                    Stream.of(
                                    Kinds.PERSISTENT_VOLUME_CLAIM,
                                    Kinds.PERSISTENT_VOLUME,
                                    Kinds.STORAGE_CLASS,
                                    Kinds.CSI_NODE,
                                    Kinds.CSI_DRIVER,
                                    Kinds.CSI_STORAGE_CAPACITY)
                            .map(ChangeKind::deleted),
                    Stream.of(
                            ChangeKind.added(Kinds.CSI_DRIVER),
                            ChangeKind.added(Kinds.VOLUME_ATTACHMENT),
                            ChangeKind.updated(Kinds.VOLUME_ATTACHMENT)))
            .flatMap(changes -> changes)
            .map(ChangeKind::label)
            .collect(Collectors.toUnmodifiableSet());

    private static Stream<ChangeKind> all(Kind<?>... kinds) {
        return Stream.of(kinds)
                .flatMap(kind -> Stream.of(ChangeKind.added(kind), ChangeKind.updated(kind), ChangeKind.deleted(kind)));
    }

    private final PluginMetrics plugins;
    private final QueueMetrics queue;
    private final UnaryOperator<String> eventNames;
    private volatile Optional<GroupMetrics> groups = Optional.empty();
    private final Histogram[] slownessByAttempts = new Histogram[ATTEMPTS_TOLD_APART + 1];
    private final Map<String, Histogram> byEvent = new HashMap<>();

    EngineMetrics(FeatureGates gates) {
        this(System::nanoTime, gates);
    }

    EngineMetrics(LongSupplier nanoTime, FeatureGates gates) {
        String stage = gates.has(Difference.DURATIONS_ARE_BETA) ? "[BETA] " : "[ALPHA] ";
        algorithm = families.histogram(
                "scheduler_scheduling_algorithm_duration_seconds",
                stage + "Scheduling algorithm latency in seconds",
                Bounds.exponentialSeconds(0.001, 2, 15));
        plugins = new PluginMetrics(nanoTime, stage);
        eventNames = gates.has(Difference.EVENTS_NAME_THE_POD_ITSELF) ? EngineMetrics::named : event -> event;
        queue = new QueueMetrics(gates, eventNames);
        tellsOwners = gates.has(Difference.CLAIMS_MADE_BY_OWNER);
        claimsMade = tellsOwners
                ? families.counter(
                        "dynamic_resource_allocation_resourceclaim_creates",
                        "[ALPHA] Number of ResourceClaims creation requests",
                        "status",
                        "admin_access",
                        "owner_api_group",
                        "owner_api_kind")
                : families.counter(
                        "scheduler_resourceclaim_creates",
                        "[ALPHA] Number of ResourceClaims creation requests within scheduler",
                        "status");
    }

    @Override
    public void attempted(String profile, AttemptResult result, long nanos) {
        attempts.ended(profile, result, nanos);
    }

    @Override
    public void decided(long nanos) {
        algorithm.record(nanos);
    }

    @Override
    public void scheduled(Pod pod, int attempt, long nanosSinceFirstActive) {
        attemptsOfPod.record(attempt);
        int index = Math.min(attempt - 1, ATTEMPTS_TOLD_APART);
        Histogram histogram = slownessByAttempts[index];
        if (histogram == null) {
            String label = index == ATTEMPTS_TOLD_APART ? (ATTEMPTS_TOLD_APART + 1) + "+" : String.valueOf(index + 1);
            histogram = slowness.with(label);
            slownessByAttempts[index] = histogram;
        }
        histogram.record(nanosSinceFirstActive);
    }

    @Override
    public void waitedOnPermit(Status.Code result, long nanos) {
        permitWait.with(result.label()).record(nanos);
    }

    @Override
    public void waitedForDevices(String profile, String driver, WaitResult result, long nanos) {
        String status = result.fieldName();
        deviceWaits.with(profile, driver, status).increment();
        deviceWait.with(profile, driver, status).record(nanos);
    }

    @Override
    public void wrote(ObjectPatch write, boolean success) {
        if (write.form() == Form.CREATE && write.kind().name().equals("ResourceClaim")) {
            String status = success ? "success" : "failure";
            (tellsOwners ? claimsMade.with(status, "false", "", "Pod") : claimsMade.with(status)).increment();
        }
    }

    @Override
    public void deferred(String namespace) {
        deferred.increment();
    }

    @Override
    public void preemptionTried() {
        preemptionsTried.increment();
    }

    @Override
    public void preempting(int pods) {
        victims.record(pods);
    }

    @Override
    public void preempted(boolean success, long nanos) {
        String result = success ? "success" : "error";
        preemptionDuration.with(result).record(nanos);
        preemptionExecutions.with(result).increment();
    }

    @Override
    public void handled(String event, long nanos) {
        if (NOT_MEASURED.contains(event)) {
            return;
        }
        Histogram histogram = byEvent.get(event);
        if (histogram == null) {
            histogram = eventDuration.with(eventNames.apply(event));
            byEvent.put(event, histogram);
        }
        histogram.record(nanos);
    }

    /** An event of a pod that waits, as it is called from 1.37 on. */
    private static String named(String event) {
        if (!event.startsWith(WAITING)) {
            return event;
        }
        String action = event.substring(WAITING.length());
        return (action.startsWith("Update") ? "TargetPod" : "UnscheduledPod") + action;
    }

    @Override
    public ProfileObserver profile(String schedulerName) {
        attempts.begin(schedulerName);
        return plugins.ofProfile(schedulerName);
    }

    /** From now on there are metrics of groups. */
    @Override
    public GroupObserver groups() {
        GroupMetrics started = new GroupMetrics(attempts.byProfile.keySet());
        groups = Optional.of(started);
        return started;
    }

    @Override
    public QueueObserver queue() {
        return queue;
    }

    @Override
    public Stream<MetricSnapshot> read() {
        return Stream.of(
                        families.read(),
                        plugins.families.read(),
                        queue.families.read(),
                        groups.stream().flatMap(GroupMetrics::read))
                .flatMap(metrics -> metrics);
    }

    /** Attempts by result and profile: how many there were, and how long they took. */
    private static final class Attempts<R extends Enum<R>> {
        private record Series(Count count, Histogram duration) {}

        private final Class<R> results;
        private final Family<Count> counts;
        private final Family<Histogram> durations;
        private final Map<String, Map<R, Series>> byProfile = new HashMap<>();

        Attempts(Class<R> results, Family<Count> counts, Family<Histogram> durations) {
            this.results = results;
            this.counts = counts;
            this.durations = durations;
        }

        /** Starts the series of a profile at 0, so that a rate shows its first result. */
        Map<R, Series> begin(String profile) {
            return byProfile.computeIfAbsent(profile, _ -> {
                Map<R, Series> series = new EnumMap<>(results);
                for (R result : List.of(results.getEnumConstants())) {
                    String label = result.name().toLowerCase(Locale.ROOT);
                    series.put(result, new Series(counts.with(label, profile), durations.with(label, profile)));
                }
                return series;
            });
        }

        void ended(String profile, R result, long nanos) {
            Series series = begin(profile).get(result);
            if (series != null) {
                series.count.increment();
                series.duration.record(nanos);
            }
        }
    }

    /** Metrics of the queue, recorded by the engine's thread. */
    private static final class QueueMetrics implements QueueObserver {
        private final Families families = new Families();
        private final Family<Count> incoming = families.counter(
                "scheduler_queue_incoming_pods",
                "[STABLE] Number of pods added to scheduling queues by event and queue type.",
                "queue",
                "event");
        private final Count flushed = families.counter(
                "scheduler_pod_scheduled_after_flush",
                "[ALPHA] Number of pods that were successfully scheduled after being flushed from unschedulablePods"
                        + " due to timeout. This metric helps detect potential queueing hint misconfigurations"
                        + " or event handling issues.");
        private final Family<Histogram> hints = families.histogram(
                "scheduler_queueing_hint_execution_duration_seconds",
                "[ALPHA] Duration for running a queueing hint function of a plugin.",
                Bounds.exponentialSeconds(0.00001, 1.5, 20),
                "plugin",
                "event",
                "hint");

        private final UnaryOperator<String> eventNames;
        private final Optional<Family<Count>> entities;

        private record Incoming(String queue, String event) {}

        private record Hint(String plugin, String event, boolean queued) {}

        private final Map<Incoming, List<Count>> incomingSeries = new HashMap<>();
        private final Map<Hint, Histogram> hintSeries = new HashMap<>();

        QueueMetrics(FeatureGates gates, UnaryOperator<String> eventNames) {
            this.eventNames = eventNames;
            entities = gates.has(Difference.QUEUED_ENTITIES_COUNT)
                    ? Optional.of(families.counter(
                            "scheduler_queue_incoming_entities",
                            "[ALPHA] Number of scheduling entities added to scheduling queues by event, queue type, and"
                                    + " entity type. Entity types are either 'pod' (for individual pods that are not"
                                    + " members of any podgroup) or 'podgroup'.",
                            "queue",
                            "event",
                            "type"))
                    : Optional.empty();
        }

        @Override
        public void incoming(String queue, String event) {
            incomingSeries
                    .computeIfAbsent(new Incoming(queue, event), this::counts)
                    .forEach(Count::increment);
        }

        /** As with the reference's gate GenericWorkload off, each pod is queued for itself. */
        private List<Count> counts(Incoming series) {
            String event = eventNames.apply(series.event);
            Stream<Count> ofEntities = entities.stream().map(all -> all.with(series.queue, event, "pod"));
            return Stream.concat(Stream.of(incoming.with(series.queue, event)), ofEntities)
                    .toList();
        }

        @Override
        public void hintRan(String plugin, String event, boolean queued, long nanos) {
            hintSeries
                    .computeIfAbsent(
                            new Hint(plugin, event, queued),
                            key -> hints.with(
                                    key.plugin, eventNames.apply(key.event), key.queued ? "Queue" : "QueueSkip"))
                    .record(nanos);
        }

        @Override
        public void boundAfterFlush() {
            flushed.increment();
        }
    }

    /** Durations of extension points and, in one cycle of ten, of each plugin. */
    static final class PluginMetrics {
        private static final int TIMED_ONE_IN = 10;
        /** Run by the threads that bind, several at a time. */
        private static final Set<MeasuredPoint> OFF_THE_ENGINE =
                Set.of(MeasuredPoint.PRE_BIND, MeasuredPoint.BIND, MeasuredPoint.POST_BIND);

        private static final Set<MeasuredPoint> COUNTED =
                Set.of(MeasuredPoint.PRE_FILTER, MeasuredPoint.FILTER, MeasuredPoint.PRE_SCORE, MeasuredPoint.SCORE);

        private final LongSupplier nanoTime;
        private final Families families = new Families();
        private final Family<Histogram> pointDuration = families.histogram(
                "scheduler_framework_extension_point_duration_seconds",
                "[STABLE] Latency for running all plugins of a specific extension point.",
                Bounds.exponentialSeconds(0.0001, 2, 12),
                "extension_point",
                "status",
                "profile");
        private final Family<Histogram> pluginDuration;
        private final Family<Count> evaluations = families.counter(
                "scheduler_plugin_evaluation",
                "[BETA] Number of attempts to schedule pods by each plugin and the extension point (available only in PreFilter,"
                        + " Filter, PreScore, and Score).",
                "plugin",
                "extension_point",
                "profile");

        /** @param stage how stable the durations of plugins are, as their help begins */
        PluginMetrics(LongSupplier nanoTime, String stage) {
            this.nanoTime = nanoTime;
            pluginDuration = families.histogram(
                    "scheduler_plugin_execution_duration_seconds",
                    stage + "Duration for running a plugin at a specific extension point.",
                    Bounds.exponentialSeconds(0.00001, 1.5, 20),
                    "plugin",
                    "extension_point",
                    "status");
        }

        Families families() {
            return families;
        }

        ProfileObserver ofProfile(String profile) {
            return new OfProfile(profile);
        }

        private final class OfProfile implements ProfileObserver {
            private final String profile;
            private int cycle;

            OfProfile(String profile) {
                this.profile = profile;
            }

            @Override
            public void cycleBegan() {
                cycle = (cycle + 1) % TIMED_ONE_IN;
            }

            @Override
            public Stopwatch at(MeasuredPoint point, List<? extends Plugin> plugins) {
                return new AtPoint(this, point, plugins);
            }

            boolean timesPlugins() {
                return cycle == 0;
            }
        }

        /** Plugins are timed at points that the engine's thread runs, and only there. */
        private final class AtPoint implements Stopwatch {
            private final OfProfile profile;
            private final ByCode durations;
            private final ByCode[] pluginDurations;
            private final Count[] evaluated;

            AtPoint(OfProfile observed, MeasuredPoint at, List<? extends Plugin> plugins) {
                String point = at.apiName();
                profile = observed;
                durations = new ByCode(at, code -> pointDuration.with(point, code.label(), observed.profile));
                pluginDurations = plugins.stream()
                        .map(Plugin::name)
                        .map(name -> new ByCode(at, code -> pluginDuration.with(name, point, code.label())))
                        .toArray(ByCode[]::new);
                evaluated = plugins.stream()
                        .map(Plugin::name)
                        .map(name ->
                                COUNTED.contains(at) ? evaluations.with(name, point, observed.profile) : new Count())
                        .toArray(Count[]::new);
            }

            @Override
            public long start() {
                return nanoTime.getAsLong();
            }

            @Override
            public long lap(int plugin, Code result, long since) {
                if (result != Code.SKIP) {
                    evaluated[plugin].increment();
                }
                if (!profile.timesPlugins()) {
                    return since;
                }
                long now = nanoTime.getAsLong();
                pluginDurations[plugin].record(result, now - since);
                return now;
            }

            @Override
            public void stop(Code result, long since) {
                durations.record(result, nanoTime.getAsLong() - since);
            }
        }

        private interface SeriesOfCode {
            Histogram of(Code code);
        }

        /** Histograms by status, made when first needed: most plugins know one or two. */
        private static final class ByCode {
            private final boolean shared;
            private final SeriesOfCode series;
            private volatile Map<Code, Histogram> known = new EnumMap<>(Code.class);

            ByCode(MeasuredPoint point, SeriesOfCode series) {
                this.shared = OFF_THE_ENGINE.contains(point);
                this.series = series;
            }

            void record(Code code, long nanos) {
                Histogram histogram = known.get(code);
                if (histogram == null) {
                    histogram = add(code);
                }
                if (shared) {
                    histogram.recordShared(nanos);
                } else {
                    histogram.record(nanos);
                }
            }

            private synchronized Histogram add(Code code) {
                Histogram made = series.of(code);
                Map<Code, Histogram> more = new EnumMap<>(known);
                more.put(code, made);
                known = more;
                return made;
            }
        }
    }

    /**
     * Metrics of pods that are placed together, recorded by the engine's thread; there at 0 from the start where a profile places
     * groups. The metrics that the reference has by its feature gate GenericWorkload are of gangs alone.
     */
    static final class GroupMetrics implements GroupObserver {
        private final Families families = new Families();
        private final Attempts<GangResult> attempts = new Attempts<>(
                GangResult.class,
                families.counter(
                        "scheduler_podgroup_schedule_attempts",
                        "[ALPHA] Number of attempts to schedule pod group, by the result. 'unschedulable' means a pod group"
                                + " could not be scheduled, while 'error' means an internal scheduler problem.",
                        "result",
                        "profile"),
                families.histogram(
                        "scheduler_podgroup_scheduling_attempt_duration_seconds",
                        "[ALPHA] Pod group scheduling attempt latency in seconds",
                        Bounds.exponentialSeconds(0.001, 2, 15),
                        "result",
                        "profile"));
        private final Histogram algorithm = families.histogram(
                "scheduler_podgroup_scheduling_algorithm_duration_seconds",
                "[ALPHA] Pod group scheduling algorithm latency in seconds",
                Bounds.exponentialSeconds(0.001, 2, 15));
        private final Family<Count> findings =
                families.counter("evenkeel_groups", "Groups searched, by result.", "outcome");
        private final Histogram steps = families.histogram(
                "evenkeel_group_steps", "Placements tried in searches for groups.", Bounds.exponentialCount(20));
        private final Histogram placement = families.histogram(
                "evenkeel_group_placement_duration_seconds",
                "Duration of the search for a group.",
                Bounds.exponentialSeconds(0.0001, 4, 10));
        private final Map<Finding, Count> byFinding = new EnumMap<>(Finding.class);
        private final Count degraded = new Count();

        GroupMetrics(Collection<String> profiles) {
            for (Finding finding : List.of(Finding.values())) {
                byFinding.put(finding, findings.with(outcome(finding)));
            }
            profiles.forEach(attempts::begin);
        }

        /** As a replay says it. */
        private static String outcome(Finding finding) {
            return switch (finding) {
                case PLACED -> "placed";
                case END_STATE_ONLY -> "endStateOnly";
                case INFEASIBLE -> "infeasible";
                case UNKNOWN -> "unknown";
            };
        }

        @Override
        public void lookedInto(Finding finding, int pods, long stepsTaken, long nanos) {
            Count count = byFinding.get(finding);
            if (count != null) {
                count.increment();
            }
            steps.record(stepsTaken);
            placement.record(nanos);
        }

        @Override
        public void lookedIntoGang(long nanos) {
            algorithm.record(nanos);
        }

        @Override
        public void gangTried(String profile, GangResult result, long nanos) {
            attempts.ended(profile, result, nanos);
        }

        @Override
        public void degraded(int gangs) {
            degraded.add(gangs - degraded.get());
        }

        Stream<MetricSnapshot> read() {
            return Stream.concat(
                    families.read(),
                    Stream.of(Gauge.of(
                            "evenkeel_gangs_degraded", "Gangs running with fewer pods than they need.", (double)
                                    degraded.get())));
        }
    }
}
