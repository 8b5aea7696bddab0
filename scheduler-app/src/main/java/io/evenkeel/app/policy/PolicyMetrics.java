package io.evenkeel.app.policy;

import io.evenkeel.app.metrics.instrument.Gauge;
import io.evenkeel.app.metrics.instrument.Instruments;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.plugins.placementpolicy.reading.Breach;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.stream.Stream;

/**
 * Metrics of policies as they are at the moment, of those that are not as they should be before others where there are too many. How
 * long that must have lasted is for alerts to say.
 */
final class PolicyMetrics implements Instruments {
    static final int MOST_POLICIES = 1_000;

    /** A policy as it is shown. */
    record Shown(
            PolicyObject policy,
            long pods,
            int waiting,
            List<Skew> skews,
            List<Breach> breaches,
            String reasonAgainst,
            int relaxed) {

        boolean isAsItShouldBe() {
            return breaches.isEmpty() && reasonAgainst.isEmpty() && relaxed == 0;
        }

        static Shown of(PolicyRow row) {
            return new Shown(
                    row.policy().policy(),
                    row.reading().pods(),
                    row.reading().waiting(),
                    row.reading().rules().stream()
                            .map(rule -> new Skew(rule.topologyKey(), rule.skew()))
                            .toList(),
                    row.reading().breaches(),
                    row.reasonAgainst().orElse(""),
                    row.relaxations().now().size());
        }
    }

    /** Over a label. */
    record Skew(String topologyKey, int skew) {}

    private volatile List<Shown> shown = List.of();
    private volatile int leftOut;

    /** Those that are not as they should be first. */
    void show(List<Shown> policies, int all) {
        shown = policies;
        leftOut = all - policies.size();
    }

    @Override
    public Stream<MetricSnapshot> read() {
        Gauge pods = new Gauge("evenkeel_policy_pods", "Pods of a policy on nodes.", "kind", "namespace", "name");
        Gauge waiting = new Gauge(
                "evenkeel_policy_waiting_pods",
                "Pods that a policy is about and that wait for a node.",
                "kind",
                "namespace",
                "name");
        Gauge skew = new Gauge(
                "evenkeel_policy_skew",
                "Pods in the fullest domain of a policy's rule less those in the emptiest.",
                "kind",
                "namespace",
                "name",
                "topology_key");
        Gauge violated = new Gauge(
                "evenkeel_policy_violated",
                "1 for each limit of a policy that its pods on nodes break.",
                "kind",
                "namespace",
                "name",
                "topology_key",
                "limit");
        Gauge unsatisfiable = new Gauge(
                "evenkeel_policy_unsatisfiable",
                "1 for each policy by which its pods cannot all be placed, by the reason.",
                "kind",
                "namespace",
                "name",
                "reason");
        Gauge relaxed = new Gauge(
                "evenkeel_policy_relaxed_domains",
                "Domains for which pods of a policy need not wait at the moment.",
                "kind",
                "namespace",
                "name");
        for (Shown one : shown) {
            String kind = one.policy().kindName();
            String namespace = one.policy().meta().namespace();
            String name = one.policy().meta().name();
            pods.set((double) one.pods(), kind, namespace, name);
            waiting.set(one.waiting(), kind, namespace, name);
            one.skews().forEach(each -> skew.set(each.skew(), kind, namespace, name, each.topologyKey()));
            one.breaches()
                    .forEach(each -> violated.set(
                            1,
                            kind,
                            namespace,
                            name,
                            each.topologyKey(),
                            each.limit().field()));
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
