package io.evenkeel.groups;

import io.evenkeel.groups.RoundPlan.Shuffle;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

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
final class LongestOrder {

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
                return deadEnds > 0 || choices[0].length == 0;
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
