package io.evenkeel.app.metrics.scheduler;

import io.evenkeel.app.metrics.instrument.Bounds;
import io.evenkeel.app.metrics.instrument.Count;
import io.evenkeel.app.metrics.instrument.Family;
import io.evenkeel.app.metrics.instrument.Histogram;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.stream.Stream;

/**
 * Metrics of pods for which others go. What the reference calls goroutines is, here as there, the time from the choice until
 * all who go are on their way out.
 */
final class PreemptionMetrics {
    private final Family<Count> attempts =
            Family.counter("scheduler_preemption_attempts", "Total preemption attempts in the cluster till now");
    private final Family<Histogram> victims = Family.histogram(
            "scheduler_preemption_victims", "Number of selected preemption victims", Bounds.exponentialCount(7));
    private final Family<Histogram> duration = Family.histogram(
            "scheduler_preemption_goroutines_duration_seconds",
            "Duration in seconds for running goroutines for the preemption.",
            Bounds.exponentialSeconds(0.01, 2, 20),
            "result");
    private final Family<Count> executions = Family.counter(
            "scheduler_preemption_goroutines_execution", "Number of preemption goroutines executed.", "result");

    private final Count attempted = attempts.with();
    private final Histogram chosen = victims.with();

    void tried() {
        attempted.increment();
    }

    void began(int pods) {
        chosen.record(pods);
    }

    void ended(boolean success, long nanos) {
        String result = success ? "success" : "error";
        duration.with(result).record(nanos);
        executions.with(result).increment();
    }

    Stream<MetricSnapshot> read() {
        return Stream.<Family<?>>of(attempts, victims, duration, executions).map(Family::snapshot);
    }
}
