package io.evenkeel.tools.observe;

import io.evenkeel.app.metrics.Count;
import io.evenkeel.app.metrics.Family;
import io.evenkeel.app.metrics.Family.Families;
import io.evenkeel.app.metrics.Gauge;
import io.evenkeel.app.metrics.Instruments;
import io.evenkeel.app.metrics.SpreadGauges;
import io.evenkeel.tools.observe.Comparison.Outcome;
import io.evenkeel.tools.observe.Lint.Finding;
import io.evenkeel.tools.observe.WatchedConstraint.SpreadName;
import io.evenkeel.tools.observe.WatchedConstraint.SpreadReading;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.stream.Stream;

/**
 * Metrics of what is observed: a series for each constraint of each workload, the worst of them where there are too many. What is gone
 * is in no later reading.
 */
final class ObserveMetrics implements Instruments {
    static final int MOST_SPREADS = 2_000;
    static final int MOST_FINDINGS = 1_000;

    private final Families families = new Families();
    private final Family<Count> placements = families.counter(
            "evenkeel_observed_placements",
            "Pods bound by other schedulers, by how Evenkeel rates their node.",
            "outcome");
    private volatile List<SpreadBoard.Shown> spreads = List.of();
    private volatile List<Finding> findings = List.of();

    ObserveMetrics() {
        for (Outcome outcome : Outcome.values()) {
            placements.with(outcome.label());
        }
    }

    void bound(Outcome outcome) {
        placements.with(outcome.label()).increment();
    }

    /** All there are, worst first. */
    void show(List<SpreadBoard.Shown> allSpreads) {
        spreads = allSpreads;
    }

    void showFindings(List<Finding> all) {
        findings = all;
    }

    @Override
    public Stream<MetricSnapshot> read() {
        List<SpreadBoard.Shown> allSpreads = spreads;
        List<Finding> allFindings = findings;
        SpreadGauges gauges = new SpreadGauges();
        for (SpreadBoard.Shown one : most(allSpreads, MOST_SPREADS)) {
            SpreadReading reading = one.reading();
            String[] name = valuesOf(one.name());
            gauges.set(
                    reading.skew(),
                    reading.allowed(),
                    reading.violating().size(),
                    name[0],
                    name[1],
                    name[2],
                    "",
                    name[3],
                    "");
        }
        return Stream.concat(
                gauges.snapshots(Math.max(0, allSpreads.size() - MOST_SPREADS)),
                Stream.concat(Stream.of(lints(allFindings).snapshot()), families.read()));
    }

    private static Gauge lints(List<Finding> findings) {
        Gauge lints = new Gauge(
                "evenkeel_workload_lint",
                "1 for each mistake in a workload's spread constraints; the first 1000 by name.",
                "namespace",
                "workload",
                "topology_key",
                "when_unsatisfiable",
                "lint");
        for (Finding one : most(findings, MOST_FINDINGS)) {
            String[] values = valuesOf(one.constraint());
            lints.set(1, values[0], values[1], values[2], values[3], one.lint());
        }
        return lints;
    }

    private static <T> List<T> most(List<T> all, int most) {
        return all.subList(0, Math.min(most, all.size()));
    }

    private static String[] valuesOf(SpreadName name) {
        return new String[] {
            name.workload().namespace(),
            name.workload().kind() + "/" + name.workload().name(),
            name.topologyKey(),
            name.whenUnsatisfiable()
        };
    }
}
