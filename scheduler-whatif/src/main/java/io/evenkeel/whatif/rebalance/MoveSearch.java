package io.evenkeel.whatif.rebalance;

import io.evenkeel.whatif.rebalance.MovePlan.Bound;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the fewest moves by trying all, the fewer first. Pods of a kind on a node are alike: a set of moves is how many pods of each
 * kind leave which node, and how many come to which; each is tried once, its moves in one order. A branch is left where
 * {@link Workload#need} says that what is left of the moves does not suffice. Exact as long as the effort lasts.
 */
final class MoveSearch {

    /** One pod of a kind goes from a node to another; nodes are places in {@link Workload#nodes}. */
    record Step(int kind, int from, int to) {}

    /**
     * The best there is, as far as was looked.
     *
     * @param isWhole whether all was looked at that may be better
     */
    record Found(List<Step> steps, int violations, boolean isWhole) {}

    /** Says what the model does not know. */
    interface Judge {
        int UNFIT = -1;

        /** How many pods' rules do not hold after these moves, where the model says so many; {@link #UNFIT} if a moved pod does not fit. */
        int violations(List<Step> steps, int byModel);
    }

    /** How much may be tried, in moves made in thought in a small cluster. */
    static final class Effort {
        private long left;

        Effort(long moves) {
            left = moves;
        }

        /** Whether there was as much left. */
        boolean spend(long moves) {
            left -= moves;
            return !isSpent();
        }

        boolean isSpent() {
            return left <= 0;
        }

        long left() {
            return left;
        }
    }

    private static final int CELLS_A_MOVE = 64;

    private final Workload workload;
    private final int[][] targets;
    private final Judge judge;
    private final Effort effort;
    /** Of a move: it is looked whether the rules of all kinds hold on all nodes. */
    private final long cost;

    private final int[][] pods;
    private final byte[][] touched;
    private final List<Step> steps = new ArrayList<>();
    private List<Step> best = List.of();
    private int fewest;
    private int goal;
    private boolean prunes;

    /** @param targets where a pod of each kind may go, the best first; none for kinds that may not move */
    MoveSearch(Workload workload, int[][] targets, Judge judge, Effort effort) {
        this.workload = workload;
        this.targets = targets;
        this.judge = judge;
        this.effort = effort;
        cost = 1 + (long) workload.kinds.size() * workload.nodes.length / CELLS_A_MOVE;
        pods = workload.podsByKind();
        touched = new byte[workload.kinds.size()][workload.nodes.length];
    }

    /**
     * The moves that leave the fewest violations, and of these the fewest.
     *
     * @param now how many violations there are without moves
     * @param known moves that are known, and are to be bettered
     * @param least no moves leave fewer violations, and no fewer moves leave so few
     */
    Found run(int now, Bound known, Bound least) {
        int floor = Math.max(least.violations(), workload.wrong(kind -> targets[kind].length > 0));
        int movable = movable();
        fewest = Math.min(now, known.violations());
        if (fewest == floor && known.moves() == 0) {
            return new Found(List.of(), fewest, true);
        }
        // as few violations as there can be, in fewer moves than are known to do
        goal = floor;
        prunes = floor == 0;
        int most = known.violations() == floor ? known.moves() - 1 : movable;
        int moves = floor == least.violations() ? Math.max(1, least.moves()) : 1;
        for (; moves <= most; moves++) {
            if (tries(moves, 0, 0, 0)) {
                return new Found(best, fewest, true);
            }
            if (effort.isSpent()) {
                return new Found(List.of(), now, false);
            }
        }
        if (known.violations() == floor) {
            return new Found(List.of(), now, true);
        }
        // the fewest that there can be, whatever that is
        prunes = false;
        fewest = now;
        best = List.of();
        for (moves = 1; moves <= movable && !effort.isSpent(); moves++) {
            goal = fewest - 1;
            while (goal >= floor && tries(moves, 0, 0, 0)) {
                goal = fewest - 1;
            }
        }
        return new Found(best, fewest, !effort.isSpent());
    }

    private int movable() {
        int movable = 0;
        for (int kind = 0; kind < pods.length; kind++) {
            movable += targets[kind].length == 0 ? 0 : Arrays.stream(pods[kind]).sum();
        }
        return movable;
    }

    /** Whether just so many more moves, of kinds and nodes from there on, reach the goal. */
    private boolean tries(int more, int kindFrom, int nodeFrom, int targetFrom) {
        if (more == 0) {
            return reachesGoal();
        }
        if (prunes && workload.need() > more) {
            return false;
        }
        for (int kind = kindFrom; kind < pods.length; kind++) {
            boolean isSame = kind == kindFrom && !steps.isEmpty();
            for (int from = isSame ? nodeFrom : 0; from < pods[kind].length && targets[kind].length > 0; from++) {
                if (pods[kind][from] > 0 && touched[kind][from] <= 0) {
                    for (int target = isSame ? targetFrom : 0; target < targets[kind].length; target++) {
                        int to = targets[kind][target];
                        if (to != from && touched[kind][to] >= 0) {
                            if (!effort.spend(cost)) {
                                return false;
                            }
                            if (triesWith(new Step(kind, from, to), more, target)) {
                                return true;
                            }
                        }
                    }
                }
            }
        }
        return false;
    }

    private boolean triesWith(Step step, int more, int target) {
        move(step.kind(), step.from(), step.to());
        byte left = touched[step.kind()][step.from()];
        byte came = touched[step.kind()][step.to()];
        touched[step.kind()][step.from()] = -1;
        touched[step.kind()][step.to()] = 1;
        steps.add(step);
        boolean reached = tries(more - 1, step.kind(), step.from(), target);
        steps.removeLast();
        touched[step.kind()][step.from()] = left;
        touched[step.kind()][step.to()] = came;
        move(step.kind(), step.to(), step.from());
        return reached;
    }

    private void move(int kind, int from, int to) {
        workload.take(kind, from);
        pods[kind][from]--;
        workload.put(kind, to);
        pods[kind][to]++;
    }

    private boolean reachesGoal() {
        for (int i = 0; i < steps.size(); i++) {
            if (!workload.holds(steps.get(i).kind(), steps.get(i).to())) {
                return false;
            }
        }
        int violations = 0;
        for (int kind = 0; kind < pods.length; kind++) {
            for (int node = 0; node < pods[kind].length; node++) {
                if (pods[kind][node] > 0 && !workload.holds(kind, node)) {
                    violations += pods[kind][node];
                    if (violations > goal) {
                        return false;
                    }
                }
            }
        }
        int judged = judge.violations(steps, violations);
        if (judged == Judge.UNFIT || judged > goal) {
            return false;
        }
        fewest = judged;
        best = List.copyOf(steps);
        return true;
    }
}
