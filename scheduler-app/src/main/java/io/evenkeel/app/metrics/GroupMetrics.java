package io.evenkeel.app.metrics;

import io.evenkeel.engine.group.GroupObserver;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Metrics of pods that are placed together, recorded by the engine's thread; there at 0 from the start where a profile places
 * groups. The metrics that the reference has by its feature gate GenericWorkload are of gangs alone.
 */
final class GroupMetrics implements GroupObserver {
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
    private final Family<Count> findings = Family.counter("evenkeel_groups", "Groups searched, by result.", "outcome");
    private final Family<Histogram> stepsOfGroup = Family.histogram(
            "evenkeel_group_steps", "Placements tried in searches for groups.", Bounds.exponentialCount(20));
    private final Family<Histogram> placementDuration = Family.histogram(
            "evenkeel_group_placement_duration_seconds",
            "Duration of the search for a group.",
            Bounds.exponentialSeconds(0.0001, 4, 10));

    private record Result(Count count, Histogram duration) {}

    private final Histogram algorithm = algorithmDuration.with();
    private final Histogram steps = stepsOfGroup.with();
    private final Histogram placement = placementDuration.with();
    private final Map<Finding, Count> byFinding = new EnumMap<>(Finding.class);
    private final Map<String, Map<GangResult, Result>> byProfile = new HashMap<>();
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

    private Map<GangResult, Result> resultsOf(String profile) {
        Map<GangResult, Result> results = new EnumMap<>(GangResult.class);
        for (GangResult result : List.of(GangResult.values())) {
            String label = result.name().toLowerCase(Locale.ROOT);
            results.put(result, new Result(attempts.with(label, profile), attemptDuration.with(label, profile)));
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
        Result one = byProfile.computeIfAbsent(profile, this::resultsOf).get(result);
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
                        "evenkeel_gangs_degraded", "Gangs running with fewer pods than they need.", degraded.get())));
    }
}
