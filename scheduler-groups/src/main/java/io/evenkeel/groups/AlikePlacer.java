package io.evenkeel.groups;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.groups.AlikeModel.KeyLevel;
import io.evenkeel.groups.Disproof.MinimaChoices;
import io.evenkeel.groups.FlowNetwork.FlowCost;
import io.evenkeel.groups.RoundPlan.Shuffle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;

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

    /**
     * Looks for the longest order in which pods that are alike can come by the rules of their model, over any number of keys that
     * cross. How many are placed is told by the state, so it is enough to come by each state once.
     *
     * <p>First it goes straight on to where nothing fits, again and again: next a node in the domain that others wait for and that has the
     * fewest nodes left, or any node by chance. Then it goes back from there, the further the longer it takes. When all was gone
     * through, there is no longer order, in the model and so for the filters.
     *
     * <pre>{@code
     *           row a  row b          rack 1 is lagging, and so is row b: 4 lets both go on,
     *   rack 1    .      4            and after 2 or 3 nothing would
     *   rack 2    1      .
     * }</pre>
     */
    static final class LongestOrder {

        /**
         * @param order nodes of the model
         * @param isLongest whether no order of so many as were asked for is longer
         */
        record Found(List<Integer> order, boolean isLongest) {}

        /** How often it goes straight on before it goes back for the first time. */
        private static final int STRAIGHT = 48;

        /** So many dead ends are gone back from at first; twice as many each time. */
        private static final int DEAD_ENDS = 512;

        /** Of more states than this it is not known any more whether they were come by. */
        private static final int MOST_STATES = 200_000;

        /** Beyond, all choices of all steps would take too much memory, and it only goes straight on. */
        private static final long MOST_CHOICES = 2_000_000;

        /** So many looks at a node and a rule take as long as a question to the filters. */
        private static final int LOOKS_A_QUESTION = 128;

        private static final int NODE_BITS = 24;
        private static final int CHANCE_BITS = 12;
        private static final int FILL_BITS = 14;
        private static final int URGENCY_BITS = 13;
        private static final int[] NONE = {};

        private final AlikeModel model;
        private final RuleCounts counts;
        private final int goal;
        private final LongPredicate effort;
        private final int[] kindOf;
        private final int[] left;
        private final int[] taken;
        private final long[] tried;
        private final int[][] legal;
        private final int[] order;
        private final int[][] choices;
        private final int[] next;
        private final Set<Long> seen = new HashSet<>();
        private int length;
        private long state;
        private int[] best = NONE;
        private long looks;
        private boolean isSpent;

        private LongestOrder(AlikeModel model, int goal, LongPredicate effort) {
            this.model = model;
            this.goal = goal;
            this.effort = effort;
            counts = new RuleCounts(model);
            left = model.slots.clone();
            taken = new int[left.length];
            kindOf = kinds();
            tried = new long[left.length];
            legal = new int[counts.size()][];
            for (int rule = 0; rule < legal.length; rule++) {
                legal[rule] = new int[counts.domains(rule)];
            }
            order = new int[goal];
            choices = new int[goal + 1][];
            next = new int[goal + 1];
        }

        /**
         * An order of so many pods, or of as many as it comes by.
         *
         * @param effort whether so much may still be done
         */
        static Found find(AlikeModel model, int pods, LongPredicate effort) {
            return new LongestOrder(model, (int) Math.min(pods, model.room()), effort).find();
        }

        /** Nodes that no rule tells apart have the same number. */
        private int[] kinds() {
            Map<List<Integer>, Integer> kinds = new HashMap<>();
            int[] all = new int[left.length];
            for (int node = 0; node < all.length; node++) {
                all[node] = kinds.computeIfAbsent(model.looksOf(node), _ -> kinds.size());
            }
            return all;
        }

        private Found find() {
            boolean mayGoBack = (long) goal * left.length <= MOST_CHOICES;
            long deadEnds = DEAD_ENDS;
            for (int turn = 0; turn < STRAIGHT || mayGoBack; turn++) {
                boolean straight = turn < STRAIGHT;
                boolean isAll = go(turn, straight ? 0 : deadEnds);
                if (best.length == goal || isAll) {
                    return found(true);
                }
                if (isSpent) {
                    break;
                }
                deadEnds *= straight ? 1 : 2;
            }
            return found(false);
        }

        private Found found(boolean isLongest) {
            return new Found(Arrays.stream(best).boxed().toList(), isLongest);
        }

        /** Goes on and back, so often at most; whether all was gone through. */
        private boolean go(int turn, long deadEnds) {
            seen.clear();
            long gone = 0;
            enter(turn, deadEnds == 0);
            while (best.length < goal && !isSpent) {
                if (next[length] < choices[length].length) {
                    step(choices[length][next[length]++]);
                    if (length > best.length) {
                        best = Arrays.copyOf(order, length);
                    }
                    if (seen.add(state)) {
                        enter(turn, deadEnds == 0);
                    } else {
                        back();
                    }
                } else if (length == 0) {
                    return true;
                } else {
                    gone++;
                    if (gone > deadEnds || seen.size() >= MOST_STATES) {
                        break;
                    }
                    back();
                }
            }
            while (length > 0) {
                back();
            }
            return false;
        }

        private void enter(int turn, boolean straight) {
            looks += (long) left.length * (counts.size() + 1);
            if (looks >= LOOKS_A_QUESTION) {
                isSpent |= !effort.test(looks / LOOKS_A_QUESTION);
                looks %= LOOKS_A_QUESTION;
            }
            next[length] = 0;
            choices[length] = choices(turn, straight);
        }

        /** Returns the nodes that may take the next pod, one of each kind; the best first, and only that to go straight on. */
        private int[] choices(int turn, boolean straight) {
            Arrays.fill(tried, 0);
            for (int[] all : legal) {
                Arrays.fill(all, 0);
            }
            long[] keys = new long[left.length];
            int size = 0;
            for (int node = 0; node < left.length; node++) {
                long bit = taken[node] < Long.SIZE ? 1L << taken[node] : 0;
                if (left[node] > 0 && (tried[kindOf[node]] & bit) == 0 && counts.allow(node)) {
                    tried[kindOf[node]] |= bit;
                    keys[size++] = node;
                    for (int rule = 0; rule < legal.length; rule++) {
                        legal[rule][counts.domain(rule, node)]++;
                    }
                }
            }
            for (int i = 0; i < size; i++) {
                keys[i] = key((int) keys[i], turn);
            }
            Arrays.sort(keys, 0, size);
            int[] nodes = new int[straight ? Math.min(1, size) : size];
            for (int i = 0; i < nodes.length; i++) {
                nodes[i] = (int) (keys[i] & (1L << NODE_BITS) - 1);
            }
            return nodes;
        }

        /** The smaller, the better; every other turn chance alone decides. */
        private long key(int node, int turn) {
            long urgency = 0;
            long fill = 0;
            if (turn % 2 == 0) {
                urgency = (1L << URGENCY_BITS) - 1;
                for (int rule = 0; rule < legal.length; rule++) {
                    int domain = counts.domain(rule, node);
                    fill += counts.count(rule, node);
                    if (counts.isLagging(rule, domain)) {
                        urgency = Math.min(urgency, legal[rule][domain]);
                    }
                }
            }
            long chance = turn == 0 ? 0 : Shuffle.mix(Shuffle.mix(turn) + state + node) & (1L << CHANCE_BITS) - 1;
            long ranked = urgency << FILL_BITS | Math.min(fill, (1L << FILL_BITS) - 1);
            return (ranked << CHANCE_BITS | chance) << NODE_BITS | node;
        }

        private void step(int node) {
            add(node, 1);
            counts.add(node);
            order[length++] = node;
        }

        private void back() {
            int node = order[--length];
            counts.remove(node);
            add(node, -1);
        }

        /** The state is a sum over the nodes, so that it is the same whichever of alike nodes holds what. */
        private void add(int node, int more) {
            state -= Shuffle.mix((long) kindOf[node] << Integer.SIZE | taken[node]);
            taken[node] += more;
            left[node] -= more;
            state += Shuffle.mix((long) kindOf[node] << Integer.SIZE | taken[node]);
        }
    }
}
