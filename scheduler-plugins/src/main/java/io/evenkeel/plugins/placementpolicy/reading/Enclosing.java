package io.evenkeel.plugins.placementpolicy.reading;

import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.plugins.placementpolicy.bound.BoundPolicy;
import java.util.Collection;
import java.util.List;

/**
 * The policies that are about all pods of another one, as far as their selectors tell without a look at any pod: what they ask for
 * holds for those pods, too.
 */
final class Enclosing {
    /** Nobody has more on purpose; with others no contradictions are looked for. */
    private static final int MOST = 8;

    private Enclosing() {}

    /** Without the policy itself, and without policies that cannot be kept. */
    static List<BoundPolicy> of(BoundPolicy policy, Collection<BoundPolicy> all) {
        return all.stream()
                .filter(other ->
                        !other.equals(policy) && other.fault().isEmpty() && encloses(other.policy(), policy.policy()))
                .limit(MOST)
                .toList();
    }

    private static boolean encloses(PolicyObject outer, PolicyObject inner) {
        return enclosesNamespaces(outer, inner)
                && isWeaker(outer.spec().selector(), inner.spec().selector());
    }

    private static boolean enclosesNamespaces(PolicyObject outer, PolicyObject inner) {
        return switch (outer) {
            case PlacementPolicy own ->
                inner instanceof PlacementPolicy
                        && own.meta().namespace().equals(inner.meta().namespace());
            case ClusterPlacementPolicy wide ->
                wide.spec().namespaceSelector().matchesEverything()
                        || (inner instanceof ClusterPlacementPolicy
                                && isWeaker(
                                        wide.spec().namespaceSelector(),
                                        inner.spec().namespaceSelector()));
        };
    }

    /** Whether it asks for nothing that the other does not ask for. */
    private static boolean isWeaker(LabelSelector one, LabelSelector other) {
        return !one.matchesNothing()
                && !other.matchesNothing()
                && other.requirements().containsAll(one.requirements());
    }
}
