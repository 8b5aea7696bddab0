package io.evenkeel.groups;

import io.evenkeel.groups.AlikeModel.KeyLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds an order in which the pods of an end state can come one after the other, each legal beside those before it.
 *
 * <p>Of one chain of keys the emptiest domain that still wants pods is always a good choice. Of two that cross, the emptiest
 * domains of one must meet the emptiest of the other: rounds of {@link RoundPlan}. There may be no order although there is
 * an end, and this may find none although there is one; then it is tried with another end state.
 */
final class ReleaseOrder {
    private final AlikeModel model;
    private final RuleCounts counts;
    private final int[] wanted;
    private final int[] wantedInCell;
    private final int[] order;
    private final long turn;
    private int length;

    private ReleaseOrder(AlikeModel model, int[] byNode, long turn) {
        this.model = model;
        this.turn = turn;
        counts = new RuleCounts(model);
        wanted = byNode.clone();
        wantedInCell = new int[model.cells()];
        int pods = 0;
        for (int node = 0; node < wanted.length; node++) {
            wantedInCell[model.cellOf[node]] += wanted[node];
            pods += wanted[node];
        }
        order = new int[pods];
    }

    /** The nodes of the model in the order in which they get their pods. */
    static Optional<int[]> find(AlikeModel model, int[] byNode, long turn) {
        return new ReleaseOrder(model, byNode, turn).find();
    }

    private Optional<int[]> find() {
        boolean crosses = hasMinimum(model.chain) && hasMinimum(model.otherChain);
        while (length < order.length) {
            int before = length;
            if (crosses) {
                RoundPlan.next(model, counts, wantedInCell, order.length - length, turn)
                        .ifPresent(this::followPlan);
            }
            if (length == before && !stepToEmptiest()) {
                return Optional.empty();
            }
        }
        return Optional.of(order);
    }

    private static boolean hasMinimum(List<KeyLevel> chain) {
        return !chain.isEmpty() && chain.getLast().rules().getFirst().hasMinimum();
    }

    /** Goes as far as the rules allow that the plan did not look at: coarser keys and single nodes. */
    private void followPlan(List<List<Integer>> plan) {
        for (List<Integer> round : plan) {
            List<Integer> waiting = new ArrayList<>(round);
            boolean moved = true;
            while (moved && !waiting.isEmpty()) {
                moved = waiting.removeIf(this::stepInto);
            }
            if (!waiting.isEmpty()) {
                return;
            }
        }
    }

    private boolean stepInto(int cell) {
        if (wantedInCell[cell] == 0 || length == order.length) {
            return false;
        }
        int best = -1;
        for (int node : model.cellNodes[cell]) {
            if (wanted[node] > 0
                    && (best < 0 || counts.compareFill(model.perNode, node, best) < 0)
                    && counts.allow(node)) {
                best = node;
            }
        }
        if (best >= 0) {
            counts.add(best);
            wanted[best]--;
            wantedInCell[cell]--;
            order[length++] = best;
        }
        return best >= 0;
    }

    private boolean stepToEmptiest() {
        boolean[] tried = new boolean[model.cells()];
        while (true) {
            int best = -1;
            for (int cell = 0; cell < model.cells(); cell++) {
                if (!tried[cell] && wantedInCell[cell] > 0 && (best < 0 || isEmptier(cell, best))) {
                    best = cell;
                }
            }
            if (best < 0) {
                return false;
            }
            if (stepInto(best)) {
                return true;
            }
            tried[best] = true;
        }
    }

    private boolean isEmptier(int cell, int other) {
        int node = model.cellNodes[cell][0];
        int otherNode = model.cellNodes[other][0];
        int difference = counts.compareFill(model.chain, node, otherNode);
        return (difference != 0 ? difference : counts.compareFill(model.otherChain, node, otherNode)) < 0;
    }
}
