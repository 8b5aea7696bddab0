package io.evenkeel.cluster.node;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Nodes by their number of pods of some kind, a set for each number: the nodes with at most two are a combination of sets, for
 * which no node is looked at. Numbers from {@link #BEYOND} on share the last set.
 *
 * <pre>
 *   pods     n1 2   n2 0   n3 1   n4 2
 *   levels   1: n3   2: n1, n4     occupied: n1, n3, n4
 * </pre>
 */
public final class CountLevels {
    /** The level of all nodes that have so many pods or more. */
    public static final int BEYOND = 128;

    private static final NodeSet NO_NODES = new NodeSet();

    private final List<NodeSet> levels = new ArrayList<>();
    private int[] sizes = new int[8];
    private final NodeSet occupied = new NodeSet();
    private final ArrayDeque<NodeSet> spare = new ArrayDeque<>();

    private CountLevels() {}

    /** Levels that are empty, with what fills them. */
    public static Writer create() {
        return new CountLevels().new Writer();
    }

    /** One more than the highest level that has had a node. */
    public int end() {
        return levels.size();
    }

    /** Whether a node is at this level, which is at least 1. */
    public boolean isEmpty(int level) {
        return level >= levels.size() || sizes[level] == 0;
    }

    /** The nodes with so many pods, at least 1. */
    public NodeSetView at(int level) {
        return levels.get(level);
    }

    /** The nodes with any. */
    public NodeSetView occupied() {
        return occupied;
    }

    /** Whether a node has so many pods that its level does not tell how many. */
    public boolean goBeyond() {
        return !isEmpty(BEYOND);
    }

    /** Moves nodes from level to level; made with the levels, and not to be had from them. */
    public final class Writer {
        private Writer() {}

        public CountLevels levels() {
            return CountLevels.this;
        }

        public void move(int node, int before, int after) {
            int from = Math.min(before, BEYOND);
            int to = Math.min(after, BEYOND);
            if (from == to) {
                return;
            }
            if (from > 0) {
                leave(node, from);
            } else {
                occupied.add(node);
            }
            if (to > 0) {
                enter(node, to);
            } else {
                occupied.remove(node);
            }
        }
    }

    /** A level that few pods pass through on their way to another has its set from one that was left. */
    private void enter(int node, int level) {
        while (level >= levels.size()) {
            levels.add(NO_NODES);
        }
        if (level >= sizes.length) {
            sizes = Arrays.copyOf(sizes, Math.max(level + 1, 2 * sizes.length));
        }
        if (sizes[level]++ == 0) {
            NodeSet set = spare.poll();
            levels.set(level, set == null ? new NodeSet() : set);
        }
        levels.get(level).add(node);
    }

    private void leave(int node, int level) {
        NodeSet set = levels.get(level);
        set.remove(node);
        if (--sizes[level] == 0) {
            levels.set(level, NO_NODES);
            spare.push(set);
        }
    }
}
