package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.SpreadCounters;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.PodTally;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.model.Node;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import java.util.ArrayList;
import java.util.List;

/** Binds constraints to the counts that they read, and gives the counts back. */
final class ConstraintCompiler {

    private final ClusterView cluster;
    private final SpreadCounters counters;

    ConstraintCompiler(ClusterView cluster) {
        this.cluster = cluster;
        this.counters = new SpreadCounters(cluster);
    }

    /**
     * Binds a pod's constraints.
     *
     * @param requireAllKeys whether soft constraints count and score only nodes that have all of their keys; if not, an
     *     absent label is read as an empty one
     */
    CompiledConstraints compile(
            List<TopologySpreadConstraint> constraints, boolean requireAllKeys, SpreadCounters.Owner owner) {
        List<TopologySpreadConstraint> hard =
                constraints.stream().filter(TopologySpreadConstraint::isHard).toList();
        List<TopologySpreadConstraint> soft =
                constraints.stream().filter(constraint -> !constraint.isHard()).toList();
        List<String> softKeys = requireAllKeys ? SpreadCounters.keysOf(soft) : List.of();
        return cluster.selectors()
                .together(
                        constraints.stream()
                                .map(TopologySpreadConstraint::labelSelector)
                                .toList(),
                        () -> new CompiledConstraints(
                                bindHard(hard, owner),
                                bindSoft(soft, softKeys, !requireAllKeys, owner),
                                requireAllKeys));
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

    private List<HardConstraint> bindHard(List<TopologySpreadConstraint> constraints, SpreadCounters.Owner owner) {
        List<String> keys = SpreadCounters.keysOf(constraints);
        List<HardConstraint> bound = new ArrayList<>();
        for (TopologySpreadConstraint constraint : constraints) {
            SelectorGroup group = counters.acquireGroup(constraint, owner);
            bound.add(new HardConstraint(
                    constraint.maxSkew(),
                    constraint.minDomains(),
                    constraint.labelSelector(),
                    group,
                    counters.acquire(group, constraint, keys, false, owner)));
        }
        return List.copyOf(bound);
    }

    private List<SoftConstraint> bindSoft(
            List<TopologySpreadConstraint> constraints,
            List<String> keys,
            boolean absentIsEmpty,
            SpreadCounters.Owner owner) {
        List<SoftConstraint> bound = new ArrayList<>();
        for (TopologySpreadConstraint constraint : constraints) {
            SelectorGroup group = counters.acquireGroup(constraint, owner);
            Topology labelled = cluster.counters().acquireTopology(new Topology.Key(constraint.topologyKey(), false));
            bound.add(
                    constraint.topologyKey().equals(Node.HOSTNAME)
                            ? new SoftConstraint.OnHost(constraint.maxSkew(), group, labelled)
                            : new SoftConstraint.InDomain(
                                    constraint.maxSkew(),
                                    group,
                                    labelled,
                                    counters.acquire(group, constraint, keys, absentIsEmpty, owner)));
        }
        return List.copyOf(bound);
    }

    /**
     * The constraints of pods of one shape, bound to the counts that they read.
     *
     * @param allLabelsNeeded whether only nodes that have all labels of the soft constraints are scored
     */
    record CompiledConstraints(List<HardConstraint> hard, List<SoftConstraint> soft, boolean allLabelsNeeded) {
        static final CompiledConstraints NONE = new CompiledConstraints(List.of(), List.of(), false);
    }

    /** A constraint that scores, bound to the counts that it reads. */
    sealed interface SoftConstraint {
        int maxSkew();

        /** The pods that the constraint spreads; none where its selector is empty. */
        SelectorGroup group();

        /** Which nodes have the label; the constraint adds nothing to the others. */
        Topology labelled();

        /** By host name: counts on the node itself, whatever the inclusion policies say. */
        record OnHost(int maxSkew, SelectorGroup group, Topology labelled) implements SoftConstraint {
            PodTally tally() {
                return group.tally();
            }
        }

        /**
         * By any other label: counts in the node's domain.
         *
         * @param counter the group by domain, over the nodes that the constraint counts; its topology may read an absent label
         *     as an empty one
         */
        record InDomain(int maxSkew, SelectorGroup group, Topology labelled, DomainCounter counter)
                implements SoftConstraint {
            Topology topology() {
                return counter.topology();
            }
        }
    }
}
