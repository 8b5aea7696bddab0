package io.evenkeel.groups;

import io.evenkeel.groups.AlikeModel.KeyLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * The next steps where two keys cross: each domain of the key with more of them that lags behind gets one pod, and meanwhile
 * the domains of the other go round, first those that lag, then all as often as it takes. One flow decides who meets whom in
 * all of these rounds at once, so that none of them takes what a later one needs.
 *
 * <pre>{@code
 * rows w x y z all lag; of racks 1 2 3 only 2 and 3, as rack 1 is a pod ahead:
 *
 *   who lags:       racks 2 3        two of the rows
 *   who is left:    racks 1 2 3      the other two rows, so one of the racks goes without: it lags in the next plan
 * }</pre>
 *
 * <p>Within a round each domain gets one pod, so any order of its steps keeps maxSkew 1 over both keys.
 */
final class RoundPlan {
    private static final int UNWANTED = -1;

    private final AlikeModel model;
    private final int[] wantedInCell;
    private final int pods;
    private final boolean swapped;
    private final int fewRule;
    private final int manyRule;
    private final int[] fewWants;
    private final int[] fewCount;
    private final int[] manyWants;
    private final int[] manyCount;

    private RoundPlan(AlikeModel model, RuleCounts counts, int[] wantedInCell, int pods) {
        this.pods = pods;
        this.model = model;
        this.wantedInCell = wantedInCell;
        KeyLevel one = model.chain.getLast();
        KeyLevel other = model.otherChain.getLast();
        swapped = one.size() > other.size();
        fewRule = model.ruleOf(swapped ? other : one);
        manyRule = model.ruleOf(swapped ? one : other);
        fewWants = new int[(swapped ? other : one).size()];
        manyWants = new int[(swapped ? one : other).size()];
        fewCount = new int[fewWants.length];
        manyCount = new int[manyWants.length];
        for (int cell = 0; cell < model.cells(); cell++) {
            fewWants[few(cell)] += wantedInCell[cell];
            manyWants[many(cell)] += wantedInCell[cell];
            fewCount[few(cell)] = counts.count(fewRule, model.cellNodes[cell][0]);
            manyCount[many(cell)] = counts.count(manyRule, model.cellNodes[cell][0]);
        }
    }

    /**
     * Cells by round; empty where no plan keeps to what is wanted.
     *
     * @param wantedInCell for how many pods there is room
     * @param pods that are left to be placed
     */
    static Optional<List<List<Integer>>> next(
            AlikeModel model, RuleCounts counts, int[] wantedInCell, int pods, long turn) {
        return new RoundPlan(model, counts, wantedInCell, pods).plan(turn);
    }

    private int few(int cell) {
        return swapped ? model.cellOther[cell] : model.cellChain[cell];
    }

    private int many(int cell) {
        return swapped ? model.cellChain[cell] : model.cellOther[cell];
    }

    private Optional<List<List<Integer>>> plan(long turn) {
        BitSet lagging = lagging(fewWants, fewCount);
        BitSet waiting = lagging(manyWants, manyCount);
        int first = lagging.cardinality();
        int total = Math.min(waiting.cardinality(), pods);
        boolean coversWaiting = pods >= waiting.cardinality();
        if (total <= first) {
            return solve(lagging, total, new int[fewWants.length], new BitSet(), 0, waiting, coversWaiting, turn);
        }
        int[] more = new int[fewWants.length];
        BitSet again = new BitSet();
        int least = Integer.MAX_VALUE;
        int level = UNWANTED;
        boolean even = true;
        for (int domain = 0; domain < fewWants.length; domain++) {
            int lag = lagging.get(domain) ? 1 : 0;
            if (fewWants[domain] - lag > 0) {
                again.set(domain);
                least = Math.min(least, fewWants[domain] - lag);
                even &= level == UNWANTED || level == fewCount[domain] + lag;
                level = fewCount[domain] + lag;
            }
        }
        if (again.isEmpty() || !even) {
            return solve(lagging, first, more, new BitSet(), 0, waiting, false, turn);
        }
        int rounds = Math.min((total - first) / again.cardinality(), least);
        int rest = total - first - rounds * again.cardinality();
        BitSet last = new BitSet();
        for (int domain = again.nextSetBit(0); domain >= 0; domain = again.nextSetBit(domain + 1)) {
            more[domain] = rounds;
            if (fewWants[domain] - (lagging.get(domain) ? 1 : 0) > rounds) {
                last.set(domain);
            }
        }
        boolean takesRest = rest <= last.cardinality();
        return solve(
                lagging,
                first,
                more,
                last,
                takesRest ? rest : last.cardinality(),
                waiting,
                takesRest && coversWaiting,
                turn);
    }

    /** Returns the domains that want pods and are the emptiest of these. */
    private static BitSet lagging(int[] wants, int[] count) {
        int fewest = Integer.MAX_VALUE;
        for (int domain = 0; domain < wants.length; domain++) {
            fewest = wants[domain] > 0 ? Math.min(fewest, count[domain]) : fewest;
        }
        BitSet lagging = new BitSet();
        for (int domain = 0; domain < wants.length; domain++) {
            lagging.set(domain, wants[domain] > 0 && count[domain] == fewest);
        }
        return lagging;
    }

    private Optional<List<List<Integer>>> solve(
            BitSet lagging,
            int ofLagging,
            int[] more,
            BitSet last,
            int rest,
            BitSet waiting,
            boolean allThatWait,
            long turn) {
        FlowNetwork network = new FlowNetwork();
        int from = network.vertex();
        int to = network.vertex();
        int leftOver = network.vertex();
        int first = network.vertex();
        int total = ofLagging + rest + Arrays.stream(more).sum();
        network.edge(to, from, total, total);
        network.edge(from, first, ofLagging, ofLagging);
        network.edge(from, leftOver, rest, rest);
        int[][] stages = new int[3][fewWants.length];
        for (int domain = 0; domain < fewWants.length; domain++) {
            stages[0][domain] = lagging.get(domain) ? network.vertex() : UNWANTED;
            stages[1][domain] = more[domain] > 0 ? network.vertex() : UNWANTED;
            stages[2][domain] = last.get(domain) && rest > 0 ? network.vertex() : UNWANTED;
            if (stages[0][domain] != UNWANTED) {
                network.edge(first, stages[0][domain], 0, 1);
            }
            if (stages[1][domain] != UNWANTED) {
                network.edge(from, stages[1][domain], more[domain], more[domain]);
            }
            if (stages[2][domain] != UNWANTED) {
                network.edge(leftOver, stages[2][domain], 0, 1);
            }
        }
        int[] many = new int[manyWants.length];
        Arrays.fill(many, UNWANTED);
        for (int domain = waiting.nextSetBit(0); domain >= 0; domain = waiting.nextSetBit(domain + 1)) {
            many[domain] = network.vertex();
            network.edge(many[domain], to, allThatWait ? 1 : 0, 1);
        }
        int[][] edges = new int[3][model.cells()];
        for (int cell : Shuffle.order(model.cells(), turn)) {
            for (int stage = 0; stage < stages.length; stage++) {
                int vertex = stages[stage][few(cell)];
                boolean may = wantedInCell[cell] > 0 && vertex != UNWANTED && many[many(cell)] != UNWANTED;
                edges[stage][cell] = may ? network.edge(vertex, many[many(cell)], 0, 1) : UNWANTED;
            }
        }
        return network.circulates() ? Optional.of(rounds(network, edges)) : Optional.empty();
    }

    private List<List<Integer>> rounds(FlowNetwork network, int[][] edges) {
        List<List<Integer>> rounds = new ArrayList<>();
        for (int stage = 0; stage < edges.length; stage++) {
            int begin = rounds.size();
            int[] turns = new int[fewWants.length];
            for (int cell = 0; cell < model.cells(); cell++) {
                if (edges[stage][cell] != UNWANTED && network.flow(edges[stage][cell]) > 0) {
                    int round = begin + turns[few(cell)]++;
                    while (rounds.size() <= round) {
                        rounds.add(new ArrayList<>());
                    }
                    rounds.get(round).add(cell);
                }
            }
        }
        return rounds;
    }

    /** Orders that look like chance and depend on a number alone, so that the same group always gets the same answer. */
    static final class Shuffle {
        private Shuffle() {}

        /** The numbers below {@code count}; turn 0 is ascending. */
        static int[] order(int count, long turn) {
            int[] order = new int[count];
            for (int i = 0; i < count; i++) {
                order[i] = i;
            }
            if (turn == 0) {
                return order;
            }
            long state = turn * 0x9e3779b97f4a7c15L;
            for (int i = count - 1; i > 0; i--) {
                state = mix(state + i);
                int other = (int) Long.remainderUnsigned(state, i + 1L);
                int swapped = order[i];
                order[i] = order[other];
                order[other] = swapped;
            }
            return order;
        }

        /** The finaliser of SplitMix64 (Steele, Lea and Flood 2014). */
        static long mix(long value) {
            long first = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
            long second = (first ^ (first >>> 27)) * 0x94d049bb133111ebL;
            return second ^ (second >>> 31);
        }
    }
}
