package io.evenkeel.framework.cycle;

import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import java.util.Arrays;

/**
 * Scores by class: nodes that score alike for one reason are said at once, as what sets of nodes have in common, and some
 * nodes one by one. Each feasible node is in one class, or said by itself.
 *
 * <pre>
 *   in       and        but not     score
 *   zone a   zone a     occupied       81      the empty nodes of zone a
 *   zone a   2 peers    none           40      those of its nodes that hold two peers
 *   n7                                 12      said by itself, and in a set that the first class leaves out
 * </pre>
 */
public final class ScoreClasses {
    private NodeSetView[] in = new NodeSetView[8];
    private NodeSetView[] and = new NodeSetView[8];
    private NodeSetView[] butNot = new NodeSetView[8];
    private int[] scores = new int[8];
    private int size;
    private int[] nodes = new int[8];
    private int[] nodeScores = new int[8];
    private int nodeCount;
    private final NodeSet members = new NodeSet();

    void clear() {
        size = 0;
        nodeCount = 0;
    }

    /** Adds a class; the sets are read until the pod is done. */
    public void add(NodeSetView inSet, NodeSetView andInSet, NodeSetView butNotInSet, int score) {
        if (size == scores.length) {
            in = Arrays.copyOf(in, 2 * size);
            and = Arrays.copyOf(and, 2 * size);
            butNot = Arrays.copyOf(butNot, 2 * size);
            scores = Arrays.copyOf(scores, 2 * size);
        }
        in[size] = inSet;
        and[size] = andInSet;
        butNot[size] = butNotInSet;
        scores[size++] = score;
    }

    /** Adds a node by itself. */
    public void add(int node, int score) {
        if (nodeCount == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * nodeCount);
            nodeScores = Arrays.copyOf(nodeScores, 2 * nodeCount);
        }
        nodes[nodeCount] = node;
        nodeScores[nodeCount++] = score;
    }

    public int size() {
        return size;
    }

    public int score(int index) {
        return scores[index];
    }

    /** Returns the nodes among these in a class of this score; valid until it is asked for another. */
    public NodeSet havingAmong(NodeSetView among, int score) {
        boolean found = false;
        for (int i = 0; i < size; i++) {
            if (scores[i] == score && found) {
                members.addCommon(among, in[i], and[i], butNot[i]);
            } else if (scores[i] == score) {
                members.copyCommon(among, in[i], and[i], butNot[i]);
                found = true;
            }
        }
        if (!found) {
            members.clear();
        }
        return members;
    }

    private long word(int index, int word) {
        return in[index].word(word) & and[index].word(word) & ~butNot[index].word(word);
    }

    /** How many nodes are said by themselves. */
    public int nodeCount() {
        return nodeCount;
    }

    public int node(int index) {
        return nodes[index];
    }

    public int nodeScore(int index) {
        return nodeScores[index];
    }

    int scoreOf(int node) {
        for (int i = 0; i < nodeCount; i++) {
            if (nodes[i] == node) {
                return nodeScores[i];
            }
        }
        for (int i = 0; i < size; i++) {
            if ((word(i, node >>> 6) & (1L << node)) != 0) {
                return scores[i];
            }
        }
        return 0;
    }

    void addTo(long[] totals, int weight) {
        for (int i = 0; i < size; i++) {
            long score = (long) weight * scores[i];
            for (int word = 0; word < in[i].wordCount(); word++) {
                for (long bits = word(i, word); bits != 0; bits &= bits - 1) {
                    totals[(word << 6) + Long.numberOfTrailingZeros(bits)] += score;
                }
            }
        }
        for (int i = 0; i < nodeCount; i++) {
            totals[nodes[i]] += (long) weight * nodeScores[i];
        }
    }
}
