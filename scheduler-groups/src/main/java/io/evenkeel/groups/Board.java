package io.evenkeel.groups;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.model.Pod;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongPredicate;

/**
 * The live cluster as a board on which pods of a group are put and taken back, newest first. Counts what is tried, and
 * when it is closed the cluster is as it was.
 */
final class Board implements AutoCloseable {
    private record Move(WhatIf whatIf, PodInfo pod, int node) {}

    /** To place a pod, a question or two and the step. */
    private static final int WORK_A_POD = 4;

    /** One verdict of a filter, or one pod placed in thought, takes as much as so many nodes that are looked at. */
    private static final int UNITS_A_QUESTION = 256;

    /** The steps and the work spent at some time. */
    record Mark(long steps, long work) {}

    private final ClusterState cluster;
    private final Function<PodInfo, NodeVerdicts> judges;
    private final Budget budget;
    private final Deque<Move> moves = new ArrayDeque<>();
    private final Map<PodInfo, List<PodInfo>> others = new HashMap<>();
    private NodeSetView among;
    private long steps;
    private long begin;
    private long share;
    private long work;
    private long workBegin;
    private long workShare;
    private long searched;

    Board(ClusterState cluster, Function<PodInfo, NodeVerdicts> judges, Budget budget) {
        this.cluster = cluster;
        this.judges = judges;
        this.budget = budget;
        this.share = budget.steps();
        this.workShare = budget.work();
        this.among = cluster.view().nodes().present();
        this.searched = cluster.view().work().searched();
    }

    /**
     * From now on nothing is placed but on these nodes, and this part of what is left may be spent on it; as long as there is
     * any, so much that so many pods can be placed.
     */
    void narrowTo(NodeSetView nodes, int parts, int pods) {
        among = nodes;
        begin = steps;
        share = Math.min(stepsLeft(), Math.max(stepsLeft() / parts, (long) WORK_A_POD * pods));
        workBegin = work;
        workShare = Math.min(workLeft(), Math.max(workLeft() / parts, (long) WORK_A_POD * pods));
    }

    ClusterView view() {
        return cluster.view();
    }

    /** Asks the filters about the pod now; holds until the next question or move. */
    NodeVerdicts ask(PodInfo pod) {
        NodeVerdicts judge = judges.apply(pod);
        count(1);
        judge.askAmong(among, pod);
        return judge;
    }

    NodeVerdicts judge(PodInfo pod) {
        return judges.apply(pod);
    }

    /** The node that the pod would get by itself; negative where it fits on none. */
    int choose(PodInfo pod) {
        count(WORK_A_POD);
        return judges.apply(pod).choose(among, pod);
    }

    /** One of so many more like the pod that there might be. */
    PodInfo another(PodInfo like, int number) {
        List<PodInfo> known = others.computeIfAbsent(like, _ -> new ArrayList<>());
        while (known.size() <= number) {
            Pod pod = like.pod();
            String name = pod.name() + "~more-" + known.size();
            known.add(cluster.admit(new Pod(pod.meta().ofAnother(name), pod.spec(), pod.status())));
        }
        return known.get(number);
    }

    boolean fits(PodInfo pod, int node) {
        count(1);
        return among.contains(node) && judges.apply(pod).fitsOn(pod, node);
    }

    void place(PodInfo pod, int node) {
        steps++;
        count(1);
        moves.push(new Move(cluster.whatIf().place(pod, node), pod, node));
    }

    void takeBack() {
        moves.pop().whatIf().close();
    }

    void takeBackTo(int count) {
        while (moves.size() > count) {
            takeBack();
        }
    }

    int count() {
        return moves.size();
    }

    /** Who sits where, in the order in which they came. */
    List<Seat> seats() {
        List<Seat> seats = new ArrayList<>(moves.size());
        for (Iterator<Move> oldestFirst = moves.descendingIterator(); oldestFirst.hasNext(); ) {
            Move move = oldestFirst.next();
            seats.add(new Seat(move.pod().pod(), cluster.view().nodes().name(move.node())));
        }
        return seats;
    }

    /**
     * Whether the filters would let each pod onto its node that it is on, beside all others on the board. That is what it
     * means that an end state is legal: for a spread constraint, that no domain of a pod of the group is further ahead of
     * the emptiest than maxSkew.
     */
    boolean isLegalAsAWhole() {
        for (Move move : List.copyOf(moves)) {
            try (WhatIf without = cluster.whatIf()) {
                without.remove(move.pod().pod());
                if (!fits(move.pod(), move.node())) {
                    return false;
                }
            }
        }
        return true;
    }

    long steps() {
        return steps;
    }

    boolean isSpent() {
        return steps - begin >= share || work - workBegin >= workShare;
    }

    /** Spends as much as so many questions cost; whether it may go on. */
    boolean spend(long questions) {
        count(questions);
        return !isSpent();
    }

    private void count(long questions) {
        cluster.view().work().add(UNITS_A_QUESTION * questions);
        work += questions + searchedSince() / UNITS_A_QUESTION;
    }

    /** What questions and moves before took in searches for devices, each of which may take as long as thousands of questions. */
    private long searchedSince() {
        long before = searched;
        searched = cluster.view().work().searched();
        return searched - before;
    }

    Mark mark() {
        return new Mark(steps, work);
    }

    /** Whether one of so many parts of what may be spent is spent since then. */
    boolean isSpentSince(Mark earlier, int parts) {
        return isSpent() || steps - earlier.steps() >= share / parts || work - earlier.work() >= workShare / parts;
    }

    /** Spends as long as one of so many parts of what may be spent is not, from now on. */
    LongPredicate effort(int parts) {
        Mark begun = mark();
        return questions -> spend(questions) && !isSpentSince(begun, parts);
    }

    /** Where something may be placed at all. */
    NodeSetView nodes() {
        return among;
    }

    private long stepsLeft() {
        return Math.max(0, budget.steps() - steps);
    }

    private long workLeft() {
        return Math.max(0, budget.work() - work);
    }

    /** Whether nothing of the whole budget is left. */
    boolean isAllSpent() {
        return stepsLeft() == 0 || workLeft() == 0;
    }

    Budget budget() {
        return budget;
    }

    @Override
    public void close() {
        takeBackTo(0);
        others.values().forEach(all -> all.forEach(cluster::giveBack));
    }
}
