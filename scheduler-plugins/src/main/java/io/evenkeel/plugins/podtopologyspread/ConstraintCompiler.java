package io.evenkeel.plugins.podtopologyspread;

import static io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy.HONOR;

import io.evenkeel.cluster.ClusterView;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Binds constraints to the counts that they read, and gives the counts back. */
final class ConstraintCompiler {
    static final String HOSTNAME = "kubernetes.io/hostname";

    /** The pod that has the constraints, as far as inclusion policies and counting depend on it. */
    record Owner(String namespace, NodeRequirement requirement, Tolerations tolerations) {}

    private final ClusterView cluster;

    ConstraintCompiler(ClusterView cluster) {
        this.cluster = cluster;
    }

    /**
     * Binds a pod's constraints.
     *
     * @param requireAllKeys whether soft constraints count and score only nodes that have all of their keys; if not, an
     *     absent label is read as an empty one
     */
    CompiledConstraints compile(List<TopologySpreadConstraint> constraints, boolean requireAllKeys, Owner owner) {
        List<TopologySpreadConstraint> hard =
                constraints.stream().filter(TopologySpreadConstraint::isHard).toList();
        List<TopologySpreadConstraint> soft =
                constraints.stream().filter(constraint -> !constraint.isHard()).toList();
        Set<String> softKeys = requireAllKeys ? keysOf(soft) : Set.of();
        return new CompiledConstraints(
                bindHard(hard, owner), bindSoft(soft, softKeys, !requireAllKeys, owner), requireAllKeys);
    }

    void release(CompiledConstraints compiled) {
        for (HardConstraint constraint : compiled.hard()) {
            cluster.counters().release(constraint.counter());
            cluster.selectors().release(constraint.group());
        }
        for (SoftConstraint constraint : compiled.soft()) {
            if (constraint instanceof SoftConstraint.InDomain inDomain) {
                cluster.counters().release(inDomain.counter());
            }
            cluster.counters().release(constraint.labelled());
            cluster.selectors().release(constraint.group());
        }
    }

    private List<HardConstraint> bindHard(List<TopologySpreadConstraint> constraints, Owner owner) {
        Set<String> keys = keysOf(constraints);
        List<HardConstraint> bound = new ArrayList<>();
        for (TopologySpreadConstraint constraint : constraints) {
            SelectorGroup group = group(constraint, owner);
            bound.add(new HardConstraint(
                    constraint.maxSkew(),
                    constraint.minDomains(),
                    constraint.labelSelector(),
                    group,
                    counter(group, constraint, keys, false, owner)));
        }
        return List.copyOf(bound);
    }

    private List<SoftConstraint> bindSoft(
            List<TopologySpreadConstraint> constraints, Set<String> keys, boolean absentIsEmpty, Owner owner) {
        List<SoftConstraint> bound = new ArrayList<>();
        for (TopologySpreadConstraint constraint : constraints) {
            SelectorGroup group = group(constraint, owner);
            Topology labelled = cluster.counters().acquireTopology(new Topology.Key(constraint.topologyKey(), false));
            bound.add(
                    constraint.topologyKey().equals(HOSTNAME)
                            ? new SoftConstraint.OnHost(constraint.maxSkew(), group, labelled)
                            : new SoftConstraint.InDomain(
                                    constraint.maxSkew(),
                                    group,
                                    labelled,
                                    counter(group, constraint, keys, absentIsEmpty, owner)));
        }
        return List.copyOf(bound);
    }

    private SelectorGroup group(TopologySpreadConstraint constraint, Owner owner) {
        PodMatch match = new PodMatch(NamespaceScope.only(owner.namespace()), counted(constraint.labelSelector()));
        return cluster.selectors().acquire(new SelectorGroup.Key(List.of(match), false));
    }

    private DomainCounter counter(
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
                                        ? required(owner.requirement())
                                        : NodeRequirement.NONE,
                                taintsHonoured,
                                taintsHonoured ? owner.tolerations() : Tolerations.NONE),
                        constraint.isHard());
    }

    /** The reference counts no pod for an empty selector, although the pod itself matches it. */
    private static LabelSelector counted(LabelSelector selector) {
        return selector.matchesEverything() ? LabelSelector.NOTHING : selector;
    }

    /** Preferences do not decide which nodes are counted, so pods that differ in them share counters. */
    private static NodeRequirement required(NodeRequirement requirement) {
        return requirement.isUnrestricted() ? NodeRequirement.NONE : requirement.withoutPreferences();
    }

    private static Set<String> keysOf(List<TopologySpreadConstraint> constraints) {
        return constraints.stream().map(TopologySpreadConstraint::topologyKey).collect(Collectors.toUnmodifiableSet());
    }
}
