package io.evenkeel.framework.ranking;

import io.evenkeel.cluster.node.NodeRanking;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.cycle.ScoreClasses;

/**
 * Finds the nodes with the highest total, where it is a ranking's sum plus what the node's class scores: 64 nodes at a time
 * are passed over whose highest sum is not enough even so, and classes that cannot win are not looked at.
 *
 * <pre>
 *              highest sum   class a: +0   class b: +4
 *   block 0    190           yes           yes           best so far 194
 *   block 1    193           no            yes           193 + 0 is not enough
 * </pre>
 *
 * <p>The best so far are forgotten whenever a better one is found; that happens a few times a pod.
 */
public final class BestNodes {
    private final NodeSet best = new NodeSet();
    private long highest;

    /** By the ranking alone. */
    public NodeSet among(NodeSet feasible, NodeRanking ranking) {
        begin();
        add(feasible, ranking, 0);
        return best;
    }

    /** By the ranking and what each class scores, times the weight; valid until the next pod. */
    public NodeSet among(NodeSet feasible, NodeRanking ranking, ScoreClasses classes, int weight) {
        begin();
        for (int i = 0; i < classes.nodeCount(); i++) {
            int node = classes.node(i);
            if (feasible.contains(node)) {
                add(node, ranking.of(node) + (long) weight * classes.nodeScore(i));
            }
        }
        long highestSum = highestOf(ranking);
        for (int i = 0; i < classes.size(); i++) {
            long score = (long) weight * classes.score(i);
            if (highestSum + score >= highest) {
                add(classes.membersAmong(feasible, i), ranking, score);
            }
        }
        return best;
    }

    /** By totals that are at hand. */
    public NodeSet among(NodeSet feasible, long[] totals) {
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
        highest = Long.MIN_VALUE;
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
        int sum = ranking.highestAmong(block, bits);
        raise(sum + score);
        if (sum + score == highest) {
            best.setWord(block, best.word(block) | ranking.having(sum, block, bits));
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
