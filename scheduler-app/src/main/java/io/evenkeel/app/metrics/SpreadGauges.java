package io.evenkeel.app.metrics;

import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.stream.Stream;

/** The family {@code evenkeel_spread_…}: how evenly pods are spread, for the worst spread constraints. */
public final class SpreadGauges {
    private static final String[] LABELS = {
        "namespace", "workload", "topology_key", "selector", "when_unsatisfiable", "max_skew"
    };

    private final Gauge skew;
    private final Gauge allowed;
    private final Gauge violating;

    public SpreadGauges() {
        skew = new Gauge(
                "evenkeel_spread_skew",
                "Pods in the fullest domain of a topology spread constraint less those in the emptiest; the worst"
                        + " constraints only.",
                LABELS);
        allowed = new Gauge("evenkeel_spread_allowed_skew", "maxSkew of the constraint.", LABELS);
        violating = new Gauge(
                "evenkeel_spread_violating_domains", "Domains with more pods above the emptiest than allowed.", LABELS);
    }

    /** Shows a constraint, with the values of its labels; "" is none. */
    public void set(int skewNow, int maxSkew, int violatingDomains, String... values) {
        skew.set(skewNow, values);
        allowed.set(maxSkew, values);
        violating.set(violatingDomains, values);
    }

    /** Returns the family; so many constraints have no series, as there are too many. */
    public Stream<MetricSnapshot> snapshots(int leftOut) {
        return Stream.of(
                skew.snapshot(),
                allowed.snapshot(),
                violating.snapshot(),
                Gauge.of(
                        "evenkeel_spread_constraints_left_out",
                        "Constraints without evenkeel_spread_skew, as there are too many.",
                        leftOut));
    }
}
