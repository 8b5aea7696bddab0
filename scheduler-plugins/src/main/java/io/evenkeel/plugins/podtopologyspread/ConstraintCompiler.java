package io.evenkeel.plugins.podtopologyspread;

import static io.evenkeel.model.TopologySpreadConstraint.NodeInclusionPolicy.HONOR;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.DomainCounter;
import io.evenkeel.cluster.NamespaceScope;
import io.evenkeel.cluster.NodeEligibility;
import io.evenkeel.cluster.NodeRequirement;
import io.evenkeel.cluster.PodMatch;
import io.evenkeel.cluster.SelectorGroup;
import io.evenkeel.cluster.Tolerations;
import io.evenkeel.cluster.Topology;
import io.evenkeel.model.LabelSelector;
import io.evenkeel.model.TopologySpreadConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Binds constraints to the counts that they read, and gives the counts back. */
final class ConstraintCompiler {
    static final String HOSTNAME = "kubernetes.io/hostname";

    private final ClusterState cluster;

    ConstraintCompiler(ClusterState cluster) {
        this.cluster = cluster;
    }

    /**
     * Binds a pod's constraints.
     *
     * @param requireAllKeys whether soft constraints count and score only nodes that have all of their keys; if not, an
     *     absent label is read as an empty one
     */
    CompiledConstraints compile(
            String namespace,
            List<TopologySpreadConstraint> constraints,
            boolean requireAllKeys,
            NodeRequirement requirement,
            Tolerations tolerations) {
        List<TopologySpreadConstraint> hard =
                constraints.stream().filter(TopologySpreadConstraint::isHard).toList();
        List<TopologySpreadConstraint> soft =
                constraints.stream().filter(constraint -> !constraint.isHard()).toList();
        Set<String> softKeys = requireAllKeys ? keysOf(soft) : Set.of();
        return new CompiledConstraints(
                bind(namespace, hard, keysOf(hard), false, requirement, tolerations),
                bind(namespace, soft, softKeys, !requireAllKeys, requirement, tolerations),
                softKeys.isEmpty()
                        ? Optional.empty()
                        : Optional.of(cluster.counters().acquireEligibility(NodeEligibility.Key.havingAll(softKeys))));
    }

    void release(CompiledConstraints compiled) {
        compiled.hard().forEach(this::release);
        compiled.soft().forEach(this::release);
        compiled.scoredNodes().ifPresent(cluster.counters()::release);
    }

    private void release(SpreadConstraint constraint) {
        cluster.counters().release(constraint.labelled());
        cluster.counters().release(constraint.counter());
        cluster.selectors().release(constraint.group());
    }

    private List<SpreadConstraint> bind(
            String namespace,
            List<TopologySpreadConstraint> constraints,
            Set<String> keys,
            boolean absentIsEmpty,
            NodeRequirement requirement,
            Tolerations tolerations) {
        List<SpreadConstraint> bound = new ArrayList<>();
        for (TopologySpreadConstraint constraint : constraints) {
            SelectorGroup group = cluster.selectors()
                    .acquire(new SelectorGroup.Key(
                            List.of(new PodMatch(NamespaceScope.only(namespace), counted(constraint.labelSelector()))),
                            false));
            boolean taintsHonoured = constraint.nodeTaintsPolicy() == HONOR;
            DomainCounter counter = cluster.counters()
                    .acquire(
                            group.tally(),
                            new Topology.Key(constraint.topologyKey(), absentIsEmpty),
                            new NodeEligibility.Key(
                                    keys,
                                    constraint.nodeAffinityPolicy() == HONOR
                                            ? required(requirement)
                                            : NodeRequirement.NONE,
                                    taintsHonoured,
                                    taintsHonoured ? tolerations : Tolerations.NONE),
                            constraint.isHard());
            bound.add(new SpreadConstraint(
                    constraint.maxSkew(),
                    constraint.minDomains(),
                    constraint.labelSelector(),
                    constraint.topologyKey().equals(HOSTNAME),
                    group,
                    counter,
                    cluster.counters().acquireTopology(new Topology.Key(constraint.topologyKey(), false))));
        }
        return List.copyOf(bound);
    }

    /** The reference counts nobody for an empty selector, although the pod itself matches it. */
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
