package io.evenkeel.framework.run;

import io.evenkeel.cluster.node.NodeRanking;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.cycle.ScoreClasses;

/**
 * Finds the nodes with the highest total, where it is a ranking's sum plus what the node's class scores: 64 nodes at a time
 * are passed over whose highest sum is not enough even so, and classes that cannot win are not looked at.
 *
 * <pre>
 *   highest sum       class a: +4   class b: +0
 *   block 0    190    194, best     190 is not enough
 *   block 1    193    none of it    193 is not enough
 * </pre>
 *
 * <p>The best so far are forgotten whenever a better one is found; that happens a few times a pod.
 */
final class BestNodes {
    private static final long NONE = Long.MIN_VALUE;

    private final NodeSet best = new NodeSet();
    private long highest;

    /** By the ranking alone. */
    NodeSet among(NodeSet feasible, NodeRanking ranking) {
        begin();
        add(feasible, ranking, 0);
        return best;
    }

    /** By the ranking and what each class scores, times the weight; valid until the next pod. */
    NodeSet among(NodeSet feasible, NodeRanking ranking, ScoreClasses classes, int weight) {
        begin();
        for (int i = 0; i < classes.nodeCount(); i++) {
            int node = classes.node(i);
            if (feasible.contains(node)) {
                add(node, ranking.of(node) + (long) weight * classes.nodeScore(i));
            }
        }
        long highestSum = highestOf(ranking);
        long next = highestBelow(Long.MAX_VALUE, classes, weight);
        while (next != NONE && highestSum + next >= highest) {
            add(classes.havingAmong(feasible, (int) (next / weight)), ranking, next);
            next = highestBelow(next, classes, weight);
        }
        return best;
    }

    /** The highest score of a class, times the weight, below another. */
    private static long highestBelow(long bound, ScoreClasses classes, int weight) {
        long highest = NONE;
        for (int i = 0; i < classes.size(); i++) {
            long score = (long) weight * classes.score(i);
            highest = score < bound ? Math.max(highest, score) : highest;
        }
        return highest;
    }

    /** By totals that are at hand. */
    NodeSet among(NodeSet feasible, long[] totals) {
        begin();
        for (int word = 0; word < feasible.wordCount(); word++) {
            for (long bits = feasible.word(word); bits != 0; bits &= bits - 1) {
                int node = (word << 6) + Long.numberOfTrailingZeros(bits);
                if (totals[node] >= highest) {
                    add(node, totals[node]);
                }
            }
        }
        return best;
    }

    private void begin() {
        best.clear();
        highest = NONE;
    }

    private void add(int node, long total) {
        raise(total);
        if (total == highest) {
            best.add(node);
        }
    }

    private void add(NodeSet nodes, NodeRanking ranking, long score) {
        int blocks = Math.min(nodes.wordCount(), ranking.blocks());
        for (int block = 0; block < blocks; block++) {
            if (ranking.highestIn(block) + score >= highest) {
                long bits = nodes.word(block);
                if (bits != 0) {
                    add(bits, block, ranking, score);
                }
            }
        }
    }

    private void add(long bits, int block, NodeRanking ranking, long score) {
        int layer = ranking.layerOf(block, bits);
        if (layer < 0) {
            addOneByOne(bits, block, ranking, score);
            return;
        }
        raise(ranking.sumOf(layer) + score);
        if (ranking.sumOf(layer) + score == highest) {
            best.addWord(block, bits & ranking.nodesOf(layer));
        }
    }

    private void addOneByOne(long bits, int block, NodeRanking ranking, long score) {
        for (long rest = bits; rest != 0; rest &= rest - 1) {
            int node = (block << 6) + Long.numberOfTrailingZeros(rest);
            add(node, ranking.of(node) + score);
        }
    }

    private void raise(long total) {
        if (total > highest) {
            highest = total;
            best.clear();
        }
    }

    private static long highestOf(NodeRanking ranking) {
        long highest = Long.MIN_VALUE;
        for (int block = 0; block < ranking.blocks(); block++) {
            highest = Math.max(highest, ranking.highestIn(block));
        }
        return highest;
    }
}
