package io.evenkeel.plugins.preemption;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.node.ChangeLog;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import java.util.Arrays;

/**
 * The results of dry runs, by node: whether the pod would fit, and if so what harm it would do, as far as nodes are compared by
 * that. Answers are forgotten at nodes that change.
 *
 * <p>Of each block of 64 nodes the best is kept, and sought again once it has changed. So the best of all costs one look at each
 * block, and of some nodes a look at those alone whose block's best is not among them.
 */
final class Answers {
    /** Bytes for each node. */
    static final int BYTES_A_NODE = 36;

    /** Greater than every rank. */
    private static final long UNFIT = Long.MAX_VALUE;

    private static final long MOST_VIOLATIONS = Integer.MAX_VALUE - 1;

    private static final Status[] NO_STATUSES = {};
    private static final String[] NO_NAMES = {};

    private static final int NOWHERE = -1;
    /** It has to be sought again which node is the best of the block. */
    private static final int UNSOUGHT = -2;

    private final NodeTable nodes;
    private final NodeSet known = new NodeSet();
    private long readTo = -1;

    /** The nodes with a pod that might go and concerns filters that look beyond the node. */
    private final NodeSet concerned = new NodeSet();
    /** By block, the best of its nodes that are known. */
    private int[] leaders = {};

    private Status[] verdicts = NO_STATUSES;
    private int[] positions = {};
    private String[] objectors = NO_NAMES;
    /** Violations, and then the highest priority of a victim: the less, the better. */
    private long[] ranks = {};

    private long[] prioritySums = {};
    private int[] victimCounts = {};
    private String[] starts = NO_NAMES;

    Answers(NodeTable nodes) {
        this.nodes = nodes;
    }

    /** Forgets what is not true any more. */
    void catchUp(ChangeLog changes) {
        if (readTo >= 0 && changes.reaches(readTo, Integer.MAX_VALUE)) {
            changes.forEachSince(readTo, this::forget);
        } else {
            known.clear();
            Arrays.fill(leaders, NOWHERE);
        }
        readTo = changes.position();
    }

    private void forget(int node) {
        known.remove(node);
        if (node < verdicts.length && leaders[node >>> 6] == node) {
            leaders[node >>> 6] = UNSOUGHT;
        }
    }

    /** The first of the nodes from this one on without an answer, or -1. */
    int nextUnknown(NodeSetView among, int from) {
        for (int word = from >>> 6; word < among.wordCount(); word++) {
            long unknown = among.word(word) & ~known.word(word);
            if (word == from >>> 6) {
                unknown &= -1L << from;
            }
            if (unknown != 0) {
                return (word << 6) + Long.numberOfTrailingZeros(unknown);
            }
        }
        return -1;
    }

    /** Of nodes that are all known the one where the pod would do least harm, or -1 where it fits on none. */
    int best(NodeSetView among) {
        int best = NOWHERE;
        for (int block = 0; block < among.wordCount(); block++) {
            long nodes = among.word(block);
            int leader = nodes == 0 ? NOWHERE : leaderOf(block);
            if (leader != NOWHERE && (nodes & 1L << leader) == 0) {
                leader = bestOf(block, nodes);
            }
            best = betterOf(best, leader);
        }
        return best;
    }

    private int leaderOf(int block) {
        if (leaders[block] == UNSOUGHT) {
            leaders[block] = bestOf(block, known.word(block));
        }
        return leaders[block];
    }

    private int bestOf(int block, long nodes) {
        int best = NOWHERE;
        for (long rest = nodes; rest != 0; rest &= rest - 1) {
            int node = (block << 6) + Long.numberOfTrailingZeros(rest);
            best = betterOf(best, ranks[node] == UNFIT ? NOWHERE : node);
        }
        return best;
    }

    private int betterOf(int best, int other) {
        return other != NOWHERE && (best == NOWHERE || isBetter(other, this, best)) ? other : best;
    }

    boolean isKnown(int node) {
        return known.contains(node);
    }

    /** Keeps what came of the dry run on this node. */
    void put(int node, Status verdict, NodeDryRun run) {
        reject(node, verdict, run.position(), run.objector());
        if (verdict.isSuccess()) {
            accept(node, run);
        }
    }

    /** Keeps that the pod would fit, at this price. */
    void put(int node, Harm harm) {
        reject(node, Status.SUCCESS, NodeDryRun.AFTER_ALL_FILTERS, "");
        accept(node, harm);
    }

    private void accept(int node, Harm harm) {
        ranks[node] = Math.clamp(harm.violations(), 0, MOST_VIOLATIONS) << Integer.SIZE
                | Integer.toUnsignedLong(harm.highestPriority() ^ Integer.MIN_VALUE);
        prioritySums[node] = harm.prioritySum();
        victimCounts[node] = harm.victimCount();
        starts[node] = harm.earliestStart();
        int block = node >>> 6;
        if (leaders[block] != UNSOUGHT) {
            leaders[block] = betterOf(leaders[block], node);
        }
    }

    /** Keeps that the pod would not fit, and which filter says so. */
    void reject(int node, Status verdict, int position, String objector) {
        ensureCapacity();
        forget(node);
        known.add(node);
        verdicts[node] = verdict;
        positions[node] = position;
        objectors[node] = objector;
        ranks[node] = UNFIT;
    }

    /** Keeps whether a pod that might go from this node concerns filters that look beyond it. */
    void putConcerned(int node, boolean isConcerned) {
        concerned.set(node, isConcerned);
    }

    /** Of the nodes that are known, those with a pod that might go and concerns filters that look beyond the node. */
    NodeSetView concerned() {
        return concerned;
    }

    /** Success where the pod would fit. */
    Status verdict(int node) {
        return verdicts[node];
    }

    /** Which filter says so, by its place. */
    int position(int node) {
        return positions[node];
    }

    /** Names the plugin that objects; empty where none does, though the pod does not fit. */
    String objector(int node) {
        return objectors[node];
    }

    /** Whether the pod would do less harm on this node than on another; of equal ones the first by name. */
    boolean isBetter(int node, Answers others, int other) {
        if (ranks[node] != others.ranks[other]) {
            return ranks[node] < others.ranks[other];
        }
        if (prioritySums[node] != others.prioritySums[other]) {
            return prioritySums[node] < others.prioritySums[other];
        }
        if (victimCounts[node] != others.victimCounts[other]) {
            return victimCounts[node] < others.victimCounts[other];
        }
        int later = starts[node].compareTo(others.starts[other]);
        return later != 0 ? later > 0 : nodes.name(node).compareTo(nodes.name(other)) < 0;
    }

    /** Tells the difference from other answers at a node; empty where there is none. */
    String difference(int node, Answers others) {
        String kept = text(node);
        String recounted = others.text(node);
        return kept.equals(recounted)
                ? ""
                : "victims on node " + nodes.name(node) + ": kept " + kept + ", recounted " + recounted;
    }

    private String text(int node) {
        return verdicts[node].isSuccess()
                ? "violations " + (ranks[node] >>> Integer.SIZE) + ", rank " + ranks[node] + ", sum "
                        + prioritySums[node] + ", victims " + victimCounts[node] + ", start " + starts[node]
                : verdicts[node] + " by filter " + positions[node];
    }

    private void ensureCapacity() {
        if (verdicts.length < nodes.end()) {
            int capacity = nodes.end() + (nodes.end() >> 2);
            verdicts = Arrays.copyOf(verdicts, capacity);
            positions = Arrays.copyOf(positions, capacity);
            objectors = Arrays.copyOf(objectors, capacity);
            ranks = Arrays.copyOf(ranks, capacity);
            prioritySums = Arrays.copyOf(prioritySums, capacity);
            victimCounts = Arrays.copyOf(victimCounts, capacity);
            starts = Arrays.copyOf(starts, capacity);
            int blocks = leaders.length;
            leaders = Arrays.copyOf(leaders, (capacity + 63) >>> 6);
            Arrays.fill(leaders, blocks, leaders.length, NOWHERE);
        }
    }

    /** The cost of letting pods go from a node, as far as nodes are compared by that. */
    interface Harm {

        /** How many of the victims have a budget that is used up. */
        long violations();

        int victimCount();

        int highestPriority();

        /** Of all victims, each made positive, so that more of them are a greater sum. */
        long prioritySum();

        /** Of the victims of highest priority, when the first of them started. */
        String earliestStart();
    }
}
