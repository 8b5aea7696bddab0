package io.evenkeel.cluster;

import static io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy.HONOR;

import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.NamespaceScope;
import io.evenkeel.cluster.counting.NodeEligibility;
import io.evenkeel.cluster.counting.PodMatch;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.shape.NodeRequirement;
import io.evenkeel.cluster.shape.Tolerations;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.value.LabelSelector;
import java.util.List;
import java.util.Set;

/** The counts that a topology spread constraint reads: all who ask for those of equal constraints share them. */
public final class SpreadCounters {

    /** The pod that has the constraint, as far as inclusion policies and counting depend on it. */
    public record Owner(String namespace, NodeRequirement requirement, Tolerations tolerations) {}

    private final ClusterView cluster;

    public SpreadCounters(ClusterView cluster) {
        this.cluster = cluster;
    }

    /** The pods that the constraint spreads, to be released by who asks. */
    public SelectorGroup acquireGroup(TopologySpreadConstraint constraint, Owner owner) {
        PodMatch match = new PodMatch(NamespaceScope.only(owner.namespace()), counted(constraint.labelSelector()));
        return cluster.selectors().acquire(new SelectorGroup.Key(List.of(match), false));
    }

    /**
     * Those pods by domain, to be released by who asks.
     *
     * @param keys the topology keys that a counted node must have
     * @param absentIsEmpty whether a node without the label is in the domain of the empty value
     */
    public DomainCounter acquire(
            SelectorGroup group,
            TopologySpreadConstraint constraint,
            Set<String> keys,
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

    /** The reference counts no pod for an empty selector, although the pod itself matches it. */
    private static LabelSelector counted(LabelSelector selector) {
        return selector.matchesEverything() ? LabelSelector.NOTHING : selector;
    }
}
