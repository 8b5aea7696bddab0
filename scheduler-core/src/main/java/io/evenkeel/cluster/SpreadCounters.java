package io.evenkeel.cluster;

import static io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy.HONOR;

import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.NamespaceScope;
import io.evenkeel.cluster.counting.NodeEligibility;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.shape.NodeRequirement;
import io.evenkeel.cluster.shape.Tolerations;
import io.evenkeel.config.Difference;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.ValueSet;
import java.util.List;

/** The counts that a topology spread constraint reads: equal constraints share them. */
public final class SpreadCounters {

    /** The pod that has the constraint, as far as inclusion policies and counting depend on it. */
    public record Owner(String namespace, NodeRequirement requirement, Tolerations tolerations) {}

    private final ClusterView cluster;
    private final boolean emptySelectorCounts;

    public SpreadCounters(ClusterView cluster) {
        this.cluster = cluster;
        emptySelectorCounts = cluster.featureGates().has(Difference.EMPTY_SPREAD_SELECTOR_COUNTS);
    }

    /** The topology keys of constraints, each once and sorted. */
    public static List<String> keysOf(List<TopologySpreadConstraint> constraints) {
        return ValueSet.sorted(
                constraints.stream().map(TopologySpreadConstraint::topologyKey).toList());
    }

    /** The pods that the constraint spreads, to be released by who asks. */
    public SelectorGroup acquireGroup(TopologySpreadConstraint constraint, Owner owner) {
        PodMatch match = new PodMatch(NamespaceScope.only(owner.namespace()), counted(constraint.labelSelector()));
        return cluster.selectors().acquire(new SelectorGroup.Key(List.of(match), false));
    }

    /**
     * Returns the counter of those pods by domain, to be released by the caller.
     *
     * @param keys the topology keys that a counted node must have, by {@link #keysOf}
     * @param absentIsEmpty whether a node without the label is in the domain of the empty value
     */
    public DomainCounter acquire(
            SelectorGroup group,
            TopologySpreadConstraint constraint,
            List<String> keys,
            boolean absentIsEmpty,
            Owner owner) {
        boolean taintsHonoured = constraint.nodeTaintsPolicy() == HONOR;
        return cluster.counters()
                .acquire(
                        group.tally(),
                        new Topology.Key(constraint.topologyKey(), absentIsEmpty),
                        new NodeEligibility.Key(
                                keys,
                                constraint.nodeAffinityPolicy() == HONOR
                                        ? owner.requirement().required()
                                        : NodeRequirement.NONE,
                                taintsHonoured,
                                taintsHonoured ? owner.tolerations() : Tolerations.NONE),
                        constraint.isHard());
    }

    /** An empty selector may count no pod, although the pod itself matches it. */
    private LabelSelector counted(LabelSelector selector) {
        return selector.matchesEverything() && !emptySelectorCounts ? LabelSelector.NOTHING : selector;
    }
}
