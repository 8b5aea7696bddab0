package io.evenkeel.policies.status;

import io.evenkeel.app.metrics.Gauge;
import io.evenkeel.app.metrics.Instruments;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.policies.PolicyReading.RuleReading;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Metrics of policies as they are at the moment. Where there are too many, troubled policies come before others. How
 * long the trouble must have lasted is for alerts to say.
 */
final class PolicyMetrics implements Instruments {
    static final int MOST_POLICIES = 1_000;

    /** @param skews by label, the greatest of its rules */
    record Shown(
            PolicyObject policy,
            long pods,
            int waiting,
            Map<String, Integer> skews,
            Set<Broken> broken,
            String reasonAgainst,
            int relaxed) {

        boolean isAsItShouldBe() {
            return broken.isEmpty() && reasonAgainst.isEmpty() && relaxed == 0;
        }

        static Shown of(PolicyRow row) {
            return new Shown(
                    row.policy().policy(),
                    row.reading().pods(),
                    row.reading().waiting(),
                    row.reading().rules().stream()
                            .collect(Collectors.toMap(
                                    RuleReading::topologyKey, RuleReading::skew, Math::max, TreeMap::new)),
                    row.reading().breaches().stream()
                            .map(breach -> new Broken(
                                    breach.topologyKey(), breach.limit().field()))
                            .collect(Collectors.toSet()),
                    row.reasonAgainst().orElse(""),
                    row.relaxations().now().size());
        }
    }

    /** A limit over a label, of whichever rules. */
    record Broken(String topologyKey, String limit) {}

    private volatile List<Shown> shown = List.of();
    private volatile int leftOut;

    /** Shows policies that are not as they should be first. */
    void show(List<Shown> policies, int all) {
        shown = policies;
        leftOut = all - policies.size();
    }

    @Override
    public Stream<MetricSnapshot> read() {
        Gauge pods = new Gauge("evenkeel_policy_pods", "Pods of a policy on nodes.", "kind", "namespace", "name");
        Gauge waiting = new Gauge(
                "evenkeel_policy_waiting_pods", "Pods of a policy waiting for a node.", "kind", "namespace", "name");
        Gauge skew = new Gauge(
                "evenkeel_policy_skew",
                "Pods in the fullest domain of a policy's rule less those in the emptiest.",
                "kind",
                "namespace",
                "name",
                "topology_key");
        Gauge violated = new Gauge(
                "evenkeel_policy_violated",
                "1 for each limit that a policy's pods on nodes break.",
                "kind",
                "namespace",
                "name",
                "topology_key",
                "limit");
        Gauge unsatisfiable = new Gauge(
                "evenkeel_policy_unsatisfiable",
                "1 for each policy whose pods cannot all be placed, by reason.",
                "kind",
                "namespace",
                "name",
                "reason");
        Gauge relaxed = new Gauge(
                "evenkeel_policy_relaxed_domains",
                "Relaxed domains of a policy: its pods do not wait for these.",
                "kind",
                "namespace",
                "name");
        for (Shown one : shown) {
            String kind = one.policy().kindName();
            String namespace = one.policy().meta().namespace();
            String name = one.policy().meta().name();
            pods.set((double) one.pods(), kind, namespace, name);
            waiting.set(one.waiting(), kind, namespace, name);
            one.skews().forEach((key, greatest) -> skew.set(greatest, kind, namespace, name, key));
            one.broken().forEach(each -> violated.set(1, kind, namespace, name, each.topologyKey(), each.limit()));
            if (one.relaxed() > 0) {
                relaxed.set(one.relaxed(), kind, namespace, name);
            }
            if (!one.reasonAgainst().isEmpty()) {
                unsatisfiable.set(1, kind, namespace, name, one.reasonAgainst());
            }
        }
        return Stream.of(
                pods.snapshot(),
                waiting.snapshot(),
                skew.snapshot(),
                violated.snapshot(),
                unsatisfiable.snapshot(),
                relaxed.snapshot(),
                new Gauge("evenkeel_policies_left_out", "Policies without metrics of their own, as there are too many.")
                        .set(leftOut)
                        .snapshot());
    }
}
