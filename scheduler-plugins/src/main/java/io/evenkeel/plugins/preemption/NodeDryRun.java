package io.evenkeel.plugins.preemption;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.framework.cycle.Status;
import io.evenkeel.framework.cycle.Trial;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.List;

/**
 * Who has to go from a node for a pod: all that may are taken away, and as many put back as the pod leaves room for, those
 * first whose budgets are used up, then the most important.
 *
 * <pre>
 * a node of 4 cpus                         put back: violating first, then by importance
 * a (priority 9, 2 cpus)                   b  does the new pod fit beside it? yes, it stays
 * b (priority 1, 1 cpu, budget used up)    a  no: a victim
 * c (priority 0, 1 cpu)                    c  yes, it stays
 * the new pod needs 2
 * </pre>
 */
final class NodeDryRun {
    private static final Status NO_VICTIMS = Status.unresolvable("No preemption victims found for incoming pod");

    private final ClusterView cluster;
    private final DisruptionBudgets budgets;
    private final Pod preemptor;
    private final Trial trial;

    /** The outcome for a node. */
    sealed interface Outcome {
        record Fits(Candidate candidate) implements Outcome {}

        /** It does not help on this node. */
        record Rejected(Status status) implements Outcome {}
    }

    NodeDryRun(ClusterView cluster, DisruptionBudgets budgets, Pod preemptor, Trial trial) {
        this.cluster = cluster;
        this.budgets = budgets;
        this.preemptor = preemptor;
        this.trial = trial;
    }

    Outcome on(int node) {
        List<Pod> mayGo = mayGo(node);
        if (mayGo.isEmpty()) {
            return new Outcome.Rejected(NO_VICTIMS);
        }
        try (WhatIf whatIf = trial.whatIf()) {
            mayGo.forEach(whatIf::remove);
            Status verdict = trial.verdictOn(node);
            return verdict.isSuccess() ? reprieve(mayGo, node, whatIf) : new Outcome.Rejected(verdict);
        }
    }

    private List<Pod> mayGo(int node) {
        PodTable pods = cluster.pods();
        List<Pod> found = new ArrayList<>();
        for (int row = pods.firstOnNode(node); row != PodTable.NONE; row = pods.nextOnNode(row)) {
            if (Victims.mayGoFor(preemptor, pods.pod(row))) {
                found.add(pods.pod(row));
            }
        }
        found.sort(Victims.MOST_IMPORTANT_FIRST);
        return found;
    }

    private Outcome reprieve(List<Pod> gone, int node, WhatIf whatIf) {
        List<Pod> violating = budgets.violatedBy(gone);
        List<Pod> others = new ArrayList<>(gone);
        others.removeAll(violating);
        List<Pod> victims = stillInTheWay(violating, node, whatIf);
        int violations = victims.size();
        victims.addAll(stillInTheWay(others, node, whatIf));
        victims.sort(Victims.MOST_IMPORTANT_FIRST);
        if (victims.isEmpty()) {
            // by its filters the pod fits there as it is, and it was turned away
            return new Outcome.Rejected(Status.error("expected at least one victim pod on node \""
                    + cluster.nodes().name(node) + '"'));
        }
        return new Outcome.Fits(new Candidate(cluster.nodes().name(node), victims, violations));
    }

    /** Puts the pods back, one after the other, but those beside which the preemptor does not fit. */
    private List<Pod> stillInTheWay(List<Pod> pods, int node, WhatIf whatIf) {
        List<Pod> inTheWay = new ArrayList<>();
        for (Pod pod : pods) {
            whatIf.place(pod, node);
            if (!trial.verdictOn(node).isSuccess()) {
                whatIf.remove(pod);
                inTheWay.add(pod);
            }
        }
        return inTheWay;
    }
}
