package io.evenkeel.app.scaledown;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.counting.NamespaceScope;
import io.evenkeel.cluster.counting.PodMatch;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec.PodDeletionCost;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The policies that want costs on their pods, and which of them is to say what a pod's is: of its namespace before those of the
 * cluster, then the first by name, as it can be but one.
 */
final class ManagedPolicies {
    private static final Comparator<PolicyObject> BY_NAME =
            Comparator.comparing(policy -> policy.meta().name());

    private final ClusterView cluster;
    private List<Managed> all = List.of();

    /** A policy with what its first rule says. */
    record Managed(Kind<?> kind, PolicyObject policy, PodMatch pods, String topologyKey, Shares shares) {
        static Managed of(Kind<?> kind, PolicyObject policy) {
            PolicyRule first = policy.spec().rules().getFirst();
            return new Managed(kind, policy, about(policy), first.topologyKey(), Shares.of(first));
        }

        /** By kind and name. */
        String name() {
            return policy.kindName() + " " + policy.meta().key();
        }

        private static PodMatch about(PolicyObject policy) {
            NamespaceScope scope = switch (policy) {
                case PlacementPolicy own -> NamespaceScope.only(own.meta().namespace());
                case ClusterPlacementPolicy all ->
                    new NamespaceScope(List.of(), all.spec().namespaceSelector());
            };
            return new PodMatch(scope, policy.spec().selector());
        }
    }

    ManagedPolicies(ClusterView cluster) {
        this.cluster = cluster;
    }

    static boolean areThere(ClusterView cluster) {
        return in(cluster).findAny().isPresent();
    }

    /** To be called whenever one has come, changed or gone. */
    void readAgain() {
        all = in(cluster).toList();
    }

    private static Stream<Managed> in(ClusterView cluster) {
        return Stream.concat(of(Kinds.PLACEMENT_POLICY, cluster), of(Kinds.CLUSTER_PLACEMENT_POLICY, cluster));
    }

    private static <P extends PolicyObject> Stream<Managed> of(Kind<P> kind, ClusterView cluster) {
        return cluster.objects().all(kind).stream()
                .filter(policy -> policy.spec().podDeletionCost() == PodDeletionCost.MANAGED)
                .filter(policy -> !policy.spec().rules().isEmpty())
                .sorted(BY_NAME)
                .map(policy -> Managed.of(kind, policy));
    }

    Optional<Managed> governing(Pod pod) {
        return all.stream()
                .filter(each -> each.pods().matches(pod.namespace(), pod.labels(), cluster.namespaces()))
                .findFirst();
    }
}
