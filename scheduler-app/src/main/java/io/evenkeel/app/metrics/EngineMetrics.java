package io.evenkeel.app.metrics;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.Status.Code;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Metrics of attempts, decisions, events, plugins and the queue, recorded by the engine's thread. */
final class EngineMetrics implements SchedulerObserver, Instruments {
    private static final int ATTEMPTS_TOLD_APART = 14;

    private final Family<Count> attempts = Family.counter(
            "scheduler_schedule_attempts",
            "Number of attempts to schedule pods, by the result. 'unschedulable' means a pod could not be scheduled,"
                    + " while 'error' means an internal scheduler problem.",
            "result",
            "profile");
    private final Family<Histogram> attemptDuration = Family.histogram(
            "scheduler_scheduling_attempt_duration_seconds",
            "Scheduling attempt latency in seconds (scheduling algorithm + binding)",
            Bounds.exponentialSeconds(0.001, 2, 15),
            "result",
            "profile");
    private final Family<Histogram> algorithmDuration = Family.histogram(
            "scheduler_scheduling_algorithm_duration_seconds",
            "Scheduling algorithm latency in seconds",
            Bounds.exponentialSeconds(0.001, 2, 15));
    private final Family<Histogram> slowness = Family.histogram(
            "scheduler_pod_scheduling_sli_duration_seconds",
            "E2e latency for a pod being scheduled, from the time the pod enters the scheduling queue and might involve"
                    + " multiple scheduling attempts.",
            Bounds.exponentialSeconds(0.01, 2, 20),
            "attempts");
    private final Family<Histogram> attemptsOfPod = Family.histogram(
            "scheduler_pod_scheduling_attempts",
            "Number of attempts to successfully schedule a pod.",
            Bounds.exponentialCount(5));
    private final Family<Histogram> permitWait = Family.histogram(
            "scheduler_permit_wait_duration_seconds",
            "Duration of waiting on permit.",
            Bounds.exponentialSeconds(0.001, 2, 15),
            "result");
    private final Family<Histogram> eventDuration = Family.histogram(
            "scheduler_event_handling_duration_seconds",
            "Event handling latency in seconds.",
            Bounds.exponentialSeconds(0.0001, 2, 12),
            "event");

    /** In the reference's words goroutines; here as there, the time from the choice until all who go are on their way out. */
    private final Family<Histogram> preemptionDuration = Family.histogram(
            "scheduler_preemption_goroutines_duration_seconds",
            "Duration in seconds for running goroutines for the preemption.",
            Bounds.exponentialSeconds(0.01, 2, 20),
            "result");

    private final Family<Count> preemptionExecutions = Family.counter(
            "scheduler_preemption_goroutines_execution", "Number of preemption goroutines executed.", "result");
    private final Family<Count> preemptionAttempts =
            Family.counter("scheduler_preemption_attempts", "Total preemption attempts in the cluster till now");
    private final Family<Histogram> victims = Family.histogram(
            "scheduler_preemption_victims", "Number of selected preemption victims", Bounds.exponentialCount(7));

    private final Family<Count> deferrals = Family.counter(
            "evenkeel_namespaces_deferred",
            "Number of times that pods of a namespace began to wait behind those of others, because of the work they"
                    + " take.");

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
    private final QueueMetrics queue = new QueueMetrics();
    private final Count preemptionsTried = preemptionAttempts.with();
    private final Histogram victimsChosen = victims.with();
    private volatile Optional<GroupMetrics> groups = Optional.empty();
    private final Histogram algorithm = algorithmDuration.with();
    private final Histogram podAttempts = attemptsOfPod.with();
    private final Count deferred = deferrals.with();
    private final Histogram[] slownessByAttempts = new Histogram[ATTEMPTS_TOLD_APART + 1];
    private final Map<String, Results> byProfile = new HashMap<>();
    private final Map<String, Histogram> byEvent = new HashMap<>();

    private record Result(Count count, Histogram duration) {}

    private record Results(Map<AttemptResult, Result> results) {}

    EngineMetrics() {
        this(System::nanoTime);
    }

    EngineMetrics(LongSupplier nanoTime) {
        this.plugins = new PluginMetrics(nanoTime);
    }

    @Override
    public void attempted(String profile, AttemptResult result, long nanos) {
        Result one = byProfile.computeIfAbsent(profile, this::resultsOf).results.get(result);
        if (one != null) {
            one.count.increment();
            one.duration.record(nanos);
        }
    }

    @Override
    public void decided(long nanos) {
        algorithm.record(nanos);
    }

    @Override
    public void scheduled(Pod pod, int attempts, long nanosSinceFirstActive) {
        podAttempts.record(attempts);
        int index = Math.min(attempts - 1, ATTEMPTS_TOLD_APART);
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
    public void deferred(String namespace) {
        deferred.increment();
    }

    @Override
    public void preemptionTried() {
        preemptionsTried.increment();
    }

    @Override
    public void preempting(int pods) {
        victimsChosen.record(pods);
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
            histogram = eventDuration.with(event);
            byEvent.put(event, histogram);
        }
        histogram.record(nanos);
    }

    /** Starts the series of the profile at 0, so that a rate shows its first result. */
    @Override
    public ProfileObserver profile(String schedulerName) {
        byProfile.computeIfAbsent(schedulerName, this::resultsOf);
        return plugins.ofProfile(schedulerName);
    }

    /** From now on there are metrics of groups. */
    @Override
    public GroupObserver groups() {
        GroupMetrics started = new GroupMetrics(byProfile.keySet());
        groups = Optional.of(started);
        return started;
    }

    @Override
    public QueueObserver queue() {
        return queue;
    }

    @Override
    public Stream<MetricSnapshot> read() {
        Stream<Family<?>> families = Stream.of(
                attempts,
                attemptDuration,
                algorithmDuration,
                slowness,
                attemptsOfPod,
                permitWait,
                eventDuration,
                deferrals,
                preemptionAttempts,
                victims,
                preemptionDuration,
                preemptionExecutions);
        return Stream.of(
                        families.map(Family::snapshot),
                        plugins.read(),
                        queue.read(),
                        groups.stream().flatMap(GroupMetrics::read))
                .flatMap(metrics -> metrics);
    }

    private Results resultsOf(String profile) {
        Map<AttemptResult, Result> results = new EnumMap<>(AttemptResult.class);
        for (AttemptResult result : List.of(AttemptResult.values())) {
            String label = result.name().toLowerCase(Locale.ROOT);
            results.put(result, new Result(attempts.with(label, profile), attemptDuration.with(label, profile)));
        }
        return new Results(results);
    }

    /** Metrics of the queue, recorded by the engine's thread. */
    static final class QueueMetrics implements QueueObserver, Instruments {
        private final Family<Count> incoming = Family.counter(
                "scheduler_queue_incoming_pods",
                "Number of pods added to scheduling queues by event and queue type.",
                "queue",
                "event");
        private final Family<Count> afterFlush = Family.counter(
                "scheduler_pod_scheduled_after_flush",
                "Number of pods that were successfully scheduled after being flushed from unschedulablePods due to"
                        + " timeout. This metric helps detect potential queueing hint misconfigurations or event handling"
                        + " issues.");
        private final Family<Histogram> hints = Family.histogram(
                "scheduler_queueing_hint_execution_duration_seconds",
                "Latency for running a queueing hint function of a plugin.",
                Bounds.exponentialSeconds(0.00001, 1.5, 20),
                "plugin",
                "event",
                "hint");

        private record Incoming(String queue, String event) {}

        private record Hint(String plugin, String event, boolean queued) {}

        private final Count flushed = afterFlush.with();
        private final Map<Incoming, Count> incomingSeries = new HashMap<>();
        private final Map<Hint, Histogram> hintSeries = new HashMap<>();

        @Override
        public void incoming(String queue, String event) {
            incomingSeries
                    .computeIfAbsent(new Incoming(queue, event), key -> incoming.with(key.queue, key.event))
                    .increment();
        }

        @Override
        public void hintRan(String plugin, String event, boolean queued, long nanos) {
            hintSeries
                    .computeIfAbsent(
                            new Hint(plugin, event, queued),
                            key -> hints.with(key.plugin, key.event, key.queued ? "Queue" : "QueueSkip"))
                    .record(nanos);
        }

        @Override
        public void boundAfterFlush() {
            flushed.increment();
        }

        @Override
        public Stream<MetricSnapshot> read() {
            return Stream.of(incoming, afterFlush, hints).map(Family::snapshot);
        }
    }

    /** Durations of extension points and, in one cycle of ten, of each plugin. */
    static final class PluginMetrics implements Instruments {
        private static final int TIMED_ONE_IN = 10;
        /** Run by the threads that bind, several at a time. */
        private static final Set<MeasuredPoint> OFF_THE_ENGINE =
                Set.of(MeasuredPoint.PRE_BIND, MeasuredPoint.BIND, MeasuredPoint.POST_BIND);

        private static final Set<MeasuredPoint> COUNTED =
                Set.of(MeasuredPoint.PRE_FILTER, MeasuredPoint.FILTER, MeasuredPoint.PRE_SCORE, MeasuredPoint.SCORE);

        private final LongSupplier nanoTime;
        private final Family<Histogram> pointDuration = Family.histogram(
                "scheduler_framework_extension_point_duration_seconds",
                "Latency for running all plugins of a specific extension point.",
                Bounds.exponentialSeconds(0.0001, 2, 12),
                "extension_point",
                "status",
                "profile");
        private final Family<Histogram> pluginDuration = Family.histogram(
                "scheduler_plugin_execution_duration_seconds",
                "Duration for running a plugin at a specific extension point.",
                Bounds.exponentialSeconds(0.00001, 1.5, 20),
                "plugin",
                "extension_point",
                "status");
        private final Family<Count> evaluations = Family.counter(
                "scheduler_plugin_evaluation",
                "Number of attempts to schedule pods by each plugin and the extension point (available only in PreFilter,"
                        + " Filter, PreScore, and Score).",
                "plugin",
                "extension_point",
                "profile");

        PluginMetrics(LongSupplier nanoTime) {
            this.nanoTime = nanoTime;
        }

        @Override
        public Stream<MetricSnapshot> read() {
            return Stream.of(pointDuration.snapshot(), pluginDuration.snapshot(), evaluations.snapshot());
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
                String point = at.label();
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
        private final Family<Count> attempts = Family.counter(
                "scheduler_podgroup_schedule_attempts",
                "Number of attempts to schedule pod group, by the result. 'unschedulable' means a pod group could not be"
                        + " scheduled, while 'error' means an internal scheduler problem.",
                "result",
                "profile");
        private final Family<Histogram> attemptDuration = Family.histogram(
                "scheduler_podgroup_scheduling_attempt_duration_seconds",
                "Pod group scheduling attempt latency in seconds",
                Bounds.exponentialSeconds(0.001, 2, 15),
                "result",
                "profile");
        private final Family<Histogram> algorithmDuration = Family.histogram(
                "scheduler_podgroup_scheduling_algorithm_duration_seconds",
                "Pod group scheduling algorithm latency in seconds",
                Bounds.exponentialSeconds(0.001, 2, 15));
        private final Family<Count> findings =
                Family.counter("evenkeel_groups", "Groups searched, by result.", "outcome");
        private final Family<Histogram> stepsOfGroup = Family.histogram(
                "evenkeel_group_steps", "Placements tried in searches for groups.", Bounds.exponentialCount(20));
        private final Family<Histogram> placementDuration = Family.histogram(
                "evenkeel_group_placement_duration_seconds",
                "Duration of the search for a group.",
                Bounds.exponentialSeconds(0.0001, 4, 10));

        private record GangAttempts(Count count, Histogram duration) {}

        private final Histogram algorithm = algorithmDuration.with();
        private final Histogram steps = stepsOfGroup.with();
        private final Histogram placement = placementDuration.with();
        private final Map<Finding, Count> byFinding = new EnumMap<>(Finding.class);
        private final Map<String, Map<GangResult, GangAttempts>> byProfile = new HashMap<>();
        private final Count degraded = new Count();

        GroupMetrics(Collection<String> profiles) {
            for (Finding finding : List.of(Finding.values())) {
                byFinding.put(finding, findings.with(outcome(finding)));
            }
            profiles.forEach(profile -> byProfile.computeIfAbsent(profile, this::resultsOf));
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

        private Map<GangResult, GangAttempts> resultsOf(String profile) {
            Map<GangResult, GangAttempts> results = new EnumMap<>(GangResult.class);
            for (GangResult result : List.of(GangResult.values())) {
                String label = result.name().toLowerCase(Locale.ROOT);
                results.put(
                        result, new GangAttempts(attempts.with(label, profile), attemptDuration.with(label, profile)));
            }
            return results;
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
            GangAttempts one =
                    byProfile.computeIfAbsent(profile, this::resultsOf).get(result);
            if (one != null) {
                one.count.increment();
                one.duration.record(nanos);
            }
        }

        @Override
        public void degraded(int gangs) {
            degraded.add(gangs - degraded.get());
        }

        Stream<MetricSnapshot> read() {
            Stream<MetricSnapshot> families = Stream.<Family<?>>of(
                            attempts, attemptDuration, algorithmDuration, findings, stepsOfGroup, placementDuration)
                    .map(Family::snapshot);
            return Stream.concat(
                    families,
                    Stream.of(Gauge.of(
                            "evenkeel_gangs_degraded", "Gangs running with fewer pods than they need.", (double)
                                    degraded.get())));
        }
    }
}
