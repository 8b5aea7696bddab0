package io.evenkeel.groups;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.groups.AlikeModel.KeyLevel;
import io.evenkeel.groups.Disproof.MinimaChoices;
import io.evenkeel.groups.FlowNetwork.FlowCost;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Places pods that are alike by their model: an end state by flow and an order for it, or the longest order by search; both are tried on
 * the live state, where the filters judge each step. Where the model knows nothing of what turns a pod away, that is found out there,
 * and it is given up.
 */
final class AlikePlacer {
    /** End states that are tried before it is given up; each costs a flow and an order. */
    private static final int MOST_TRIES = 64;

    /** The limit for all numbers of pods that are tried, together. */
    private static final int MOST_TRIES_IN_ALL = 256;

    private final Board board;
    private final AlikeModel model;
    private final List<PodInfo> pods;
    private Optional<int[]> endState = Optional.empty();
    private int tries;

    AlikePlacer(Board board, AlikeModel model, List<PodInfo> pods) {
        this.board = board;
        this.model = model;
        this.pods = pods;
    }

    long room() {
        return model.room();
    }

    /** Whether so many are not ruled out, as far as that can be said with a part of what may be spent. */
    boolean allows(int count, int parts) {
        return Disproof.allows(model, count, board.effort(parts));
    }

    /** Leaves so many pods on the board in a legal order, if it finds one; whether it did. */
    boolean place(int count) {
        endState = Optional.empty();
        List<List<Integer>> minima = model.minima(count);
        if (count > model.room() || minima.stream().anyMatch(List::isEmpty)) {
            return false;
        }
        List<int[]> choices = new ArrayList<>(MinimaChoices.of(minima).all());
        int end = Math.min(tries + MOST_TRIES, MOST_TRIES_IN_ALL);
        for (long turn = 0; !choices.isEmpty() && tries < end; turn++) {
            for (int[] choice : List.copyOf(choices)) {
                if (!board.spend(FlowCost.of(model, count))) {
                    return false;
                }
                Optional<int[]> found = EndStates.find(model, count, choice, turn);
                if (found.isEmpty()) {
                    choices.remove(choice);
                    continue;
                }
                tries++;
                endState = endState.or(() -> found);
                Optional<int[]> order = ReleaseOrder.find(model, found.get(), turn);
                if (order.isPresent()) {
                    if (follow(order.get()) == count) {
                        return true;
                    }
                    // what turned a pod away the model does not know
                    board.takeBackTo(0);
                    return false;
                }
            }
            if (model.hasCrossingKeys()) {
                // the network knows nothing of them, so that another of its ends is as good as any order
                return false;
            }
        }
        return false;
    }

    /**
     * Leaves on the board the longest order of so many pods that it comes by, as far as the filters let it be followed.
     *
     * @param parts one of so many of the budget's may be spent
     * @return how many pods an order may have at most; as many as were asked for where that is not known
     */
    int placeLongest(int count, int parts) {
        LongestOrder.Found found = LongestOrder.find(model, count, board.effort(parts));
        follow(found.order().stream().mapToInt(Integer::intValue).toArray());
        return found.isLongest() ? found.order().size() : count;
    }

    /** How many could be placed, one after the other, before one was turned away. */
    private int follow(int[] order) {
        for (int i = 0; i < order.length; i++) {
            int node = model.node(order[i]);
            if (board.isSpent() || !board.fits(pod(i), node)) {
                return i;
            }
            board.place(pod(i), node);
        }
        return order.length;
    }

    private PodInfo pod(int number) {
        return number < pods.size() ? pods.get(number) : board.another(pods.getFirst(), number - pods.size());
    }

    /** Leaves all of the end state on the board that {@link #place} came by, if it is legal as a whole; whether it is. */
    boolean placeAtOnce() {
        if (endState.isEmpty() || Arrays.stream(endState.get()).sum() == 0) {
            return false;
        }
        int next = 0;
        for (int node = 0; node < model.size(); node++) {
            for (int i = 0; i < endState.get()[node]; i++) {
                board.place(pod(next++), model.node(node));
            }
        }
        if (board.isLegalAsAWhole()) {
            return true;
        }
        board.takeBackTo(0);
        return false;
    }

    /**
     * Finds an order in which the pods of an end state can come one after the other, each legal beside those before it.
     *
     * <p>Of one chain of keys the emptiest domain that still wants pods is always a good choice. Of two that cross, the emptiest
     * domains of one must meet the emptiest of the other: rounds of {@link RoundPlan}. There may be no order although there is
     * an end, and this may find none although there is one; then it is tried with another end state.
     */
    static final class ReleaseOrder {
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
}
