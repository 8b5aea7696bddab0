package io.evenkeel.tools.moves;

import io.evenkeel.app.metrics.Count;
import io.evenkeel.app.metrics.Family;
import io.evenkeel.app.metrics.Family.Families;
import io.evenkeel.app.metrics.Gauge;
import io.evenkeel.app.metrics.Instruments;
import io.evenkeel.whatif.moves.Step.Result;
import io.evenkeel.whatif.rebalance.MovePlan;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.stream.Stream;

/** What has come of moves, and what the last plan was for. */
final class MovingMetrics implements Instruments {
    private final Families families = new Families();
    private final Family<Count> moves =
            families.counter("evenkeel_rebalance_moves", "Moves of pods to put spread right, by result.", "result");
    private volatile int planned;
    private volatile int before;
    private volatile int after;

    MovingMetrics() {
        for (Result result : Result.values()) {
            moves.with(result.label());
        }
    }

    void ended(Result result) {
        moves.with(result.label()).increment();
    }

    void planned(MovePlan plan) {
        before = plan.violationsBefore();
        after = plan.violationsAfter();
    }

    /** How many moves are underway or yet to be begun. */
    void left(int many) {
        planned = many;
    }

    @Override
    public Stream<MetricSnapshot> read() {
        Gauge violations = new Gauge(
                        "evenkeel_rebalance_violations",
                        "Pods whose hard constraints do not hold: when the last plan was made, and when all its moves are.",
                        "when")
                .set(before, "before")
                .set(after, "after");
        return Stream.concat(
                Stream.of(
                        violations.snapshot(),
                        new Gauge("evenkeel_rebalance_planned_moves", "Moves that are underway or yet to be begun.")
                                .set(planned)
                                .snapshot()),
                families.read());
    }
}
