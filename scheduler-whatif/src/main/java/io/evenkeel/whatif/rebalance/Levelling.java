package io.evenkeel.whatif.rebalance;

import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.model.Pod;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.rebalance.Workload.Levels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Moves one pod after the other, each where the scheduler would put it among the nodes that need it most: from domains that hold too
 * many pods to those that hold the fewest, as far as the closed form of {@link Levels} says, then pods whose other rules do not hold.
 * Finds no plan where only several moves at once are legal. Costs a decision of the scheduler a move.
 */
final class Levelling {
    private static final int NOWHERE = -1;

    private final ClusterSnapshot snapshot;
    private final Workload workload;
    private final boolean[] isSettled;
    private final List<Integer> moved = new ArrayList<>();

    private Levelling(ClusterSnapshot snapshot, Workload workload) {
        this.snapshot = snapshot;
        this.workload = workload;
        isSettled = new boolean[workload.pods.length];
        for (int pod = 0; pod < isSettled.length; pod++) {
            isSettled[pod] = !workload.kinds.get(workload.kindOf[pod]).mayMove();
        }
    }

    /** Moves pods of the workload, on the snapshot too. Returns those that were moved, in order. */
    static List<Integer> run(ClusterSnapshot snapshot, Workload workload) {
        Levelling levelling = new Levelling(snapshot, workload);
        boolean goesOn = true;
        while (goesOn) {
            Optional<Levels> needed = workload.neediest();
            goesOn = needed.isPresent() ? levelling.level(needed.get()) : levelling.mendOne();
        }
        return levelling.moved;
    }

    /** Whether a pod was moved, or one less is to be tried. */
    private boolean level(Levels levels) {
        int pod = mostNeedless(levels);
        if (pod == NOWHERE) {
            return false;
        }
        int from = workload.nodeOf[pod];
        take(pod);
        int fewest = fewest(levels);
        int most = levels.excess() > 0 ? levels.upper() - 1 : levels.lower() - 1;
        int to = choose(pod, nodesWith(levels, fewest, most));
        for (int fill = fewest; to != NOWHERE && levels.fill(to) > fill; fill++) {
            int emptier = choose(pod, nodesWith(levels, fill, fill));
            to = emptier == NOWHERE ? to : emptier;
        }
        if (to == NOWHERE) {
            put(pod, from);
            settle(workload.kindOf[pod]);
        } else {
            put(pod, to);
            moved.add(pod);
        }
        return true;
    }

    /** A pod of the fullest domain, and there one in whose other domains the most are. */
    private int mostNeedless(Levels levels) {
        int above = levels.excess() > 0 ? levels.upper() : levels.lower();
        int found = NOWHERE;
        int fullest = above;
        int mostOthers = 0;
        for (int pod = 0; pod < isSettled.length; pod++) {
            if (isSettled[pod] || !levels.counts(workload.kindOf[pod])) {
                continue;
            }
            int fill = levels.fill(workload.nodeOf[pod]);
            if (fill < 0 || fill < fullest || fill <= above) {
                continue;
            }
            int others = workload.crowd(workload.nodeOf[pod]);
            if (found == NOWHERE || fill > fullest || others > mostOthers) {
                found = pod;
                fullest = fill;
                mostOthers = others;
            }
        }
        return found;
    }

    /** Where one of a kind finds no place, the others find none. */
    private void settle(int kind) {
        for (int pod = 0; pod < isSettled.length; pod++) {
            isSettled[pod] |= workload.kindOf[pod] == kind;
        }
    }

    private int fewest(Levels levels) {
        int fewest = Integer.MAX_VALUE;
        for (int node = 0; node < workload.nodes.length; node++) {
            int fill = levels.fill(node);
            fewest = fill < 0 ? fewest : Math.min(fewest, fill);
        }
        return fewest;
    }

    private NodeSet nodesWith(Levels levels, int least, int most) {
        NodeSet nodes = new NodeSet();
        for (int node = 0; node < workload.nodes.length; node++) {
            int fill = levels.fill(node);
            if (least <= fill && fill <= most) {
                nodes.add(workload.nodes[node]);
            }
        }
        return nodes;
    }

    /** Moves a pod whose rules do not hold to where the scheduler would put it. */
    private boolean mendOne() {
        for (int pod = 0; pod < isSettled.length; pod++) {
            if (!isSettled[pod] && !workload.holds(workload.kindOf[pod], workload.nodeOf[pod])) {
                int from = workload.nodeOf[pod];
                take(pod);
                int to = choose(pod, snapshot.view().nodes().present().copy());
                put(pod, to == NOWHERE ? from : to);
                if (to != NOWHERE && to != from) {
                    moved.add(pod);
                }
                return true;
            }
        }
        return false;
    }

    private void take(int pod) {
        isSettled[pod] = true;
        snapshot.preemptPods(List.of(pod(pod)));
        workload.take(workload.kindOf[pod], workload.nodeOf[pod]);
    }

    private void put(int pod, int node) {
        workload.nodeOf[pod] = node;
        workload.put(workload.kindOf[pod], node);
        snapshot.place(pod(pod), workload.nameOf(node));
    }

    private Pod pod(int pod) {
        return workload.pods[pod];
    }

    /** The place of the node that the scheduler would choose of these. */
    private int choose(int pod, NodeSet among) {
        int node = among.isEmpty() ? NOWHERE : snapshot.ask(pod(pod), (judge, info) -> judge.choose(among, info));
        return node < 0 ? NOWHERE : workload.placeOf(node);
    }
}
