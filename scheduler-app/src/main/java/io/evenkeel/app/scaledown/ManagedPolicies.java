package io.evenkeel.app.scaledown;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.model.Pod;
import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec.PodDeletionCost;
import io.evenkeel.plugins.placementpolicy.reading.PolicyReadings;
import io.evenkeel.plugins.placementpolicy.reading.ReadablePolicy;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The policies that want costs on their pods, and which of them decides on a pod: of its namespace before the
 * cluster's, then the first by name, as it can be but one.
 */
final class ManagedPolicies {
    private static final Comparator<Managed> OWN_FIRST = Comparator.comparing(
                    (Managed managed) -> managed.policy() instanceof ClusterPlacementPolicy)
            .thenComparing(managed -> managed.policy().meta().name());

    private final PolicyReadings readings;
    private long changes = -1;
    private List<Managed> all = List.of();

    /** A policy with what its first rule says. */
    record Managed(ReadablePolicy readable, String topologyKey, Shares shares) {
        static Managed of(ReadablePolicy readable) {
            PolicyRule first = readable.policy().spec().rules().getFirst();
            return new Managed(readable, first.topologyKey(), Shares.of(first));
        }

        PolicyObject policy() {
            return readable.policy();
        }

        /** Another for another policy of the same name. */
        String identity() {
            return policy().kindName() + " " + policy().meta().key() + " "
                    + policy().meta().uid();
        }
    }

    ManagedPolicies(ClusterView cluster) {
        readings = new PolicyReadings(cluster);
    }

    boolean areThere() {
        return !all().isEmpty();
    }

    private List<Managed> all() {
        if (changes != readings.changes()) {
            changes = readings.changes();
            all = readings.all().stream()
                    .filter(readable -> readable.policy().spec().podDeletionCost() == PodDeletionCost.MANAGED)
                    .filter(readable -> !readable.policy().spec().rules().isEmpty())
                    .map(Managed::of)
                    .sorted(OWN_FIRST)
                    .toList();
        }
        return all;
    }

    Set<String> identities() {
        return all().stream().map(Managed::identity).collect(Collectors.toSet());
    }

    Optional<Managed> governing(Pod pod) {
        return all().stream().filter(each -> each.readable().governs(pod)).findFirst();
    }
}
