package io.evenkeel.policies;

import io.evenkeel.api.ScorePlugin;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.cycle.NodeScores;
import java.util.Arrays;

/**
 * Ranks nodes by how far they are beyond one rule after the other: the first rule that tells two nodes apart decides. A rank is
 * how many better kinds of nodes there are.
 *
 * <pre>
 *   node         n1   n2   n3   n4
 *   by rack       0    2    0    0     beyond the skew that is allowed
 *   ranks         0    1    0    0
 *   by node       1    0    0    1
 *   ranks         1    2    0    1
 *   score        99   98  100   99
 * </pre>
 */
final class SoftRanks {
    /** Of nodes without the rule's label: behind all that have it. */
    private static final int WITHOUT_LABEL = Integer.MAX_VALUE;

    private final DistinctKeys keys = new DistinctKeys();
    private NodeSet nodes = new NodeSet();
    private int[] rankOf = {};
    private int kinds;

    /**
     * All nodes are alike at first.
     *
     * @param end of the nodes' numbers
     */
    void begin(NodeSet feasible, int end) {
        nodes = feasible;
        kinds = 1;
        if (rankOf.length < end) {
            rankOf = new int[end + (end >> 2)];
        }
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            rankOf[node] = 0;
        }
    }

    /**
     * Tells nodes apart that are alike so far.
     *
     * @param domainOf by node
     * @param podsIn by domain
     * @param allowed how many pods a domain may have for a further one not to be beyond the rule
     */
    void refine(int[] domainOf, int[] podsIn, int allowed) {
        keys.clear();
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            int domain = domainOf[node];
            int beyond = domain == Topology.NO_DOMAIN ? WITHOUT_LABEL : Math.max(0, podsIn[domain] - allowed);
            rankOf[node] = keys.slotOf((long) rankOf[node] << Integer.SIZE | beyond);
        }
        keys.rank();
        kinds = keys.size();
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            rankOf[node] = keys.rankOf(rankOf[node]);
        }
    }

    /** A point less for each better kind of nodes. */
    void score(NodeScores scores) {
        if (kinds == 1) {
            scores.uniform(ScorePlugin.MAX_SCORE);
            return;
        }
        int[] scoreOf = scores.fill(rankOf.length);
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            scoreOf[node] = Math.max(0, ScorePlugin.MAX_SCORE - rankOf[node]);
        }
    }

    /** Numbers, each once and in a slot of its own, and their order: nodes by the thousand share a handful. */
    private static final class DistinctKeys {
        private static final int FREE = 0;

        private long[] keyOf = new long[16];
        private long[] sorted = new long[16];
        private int[] rankOf = new int[16];
        private int size;

        /** By hash the slot plus one. At most half of it is in use. */
        private int[] table = new int[32];

        void clear() {
            Arrays.fill(table, FREE);
            size = 0;
        }

        int size() {
            return size;
        }

        /** The slot of a key, which is a new one where it was not given before. */
        int slotOf(long key) {
            int at = placeOf(key);
            if (table[at] != FREE) {
                return table[at] - 1;
            }
            if (size == keyOf.length) {
                grow();
                at = placeOf(key);
            }
            keyOf[size] = key;
            table[at] = ++size;
            return size - 1;
        }

        /** Where in the table the key is, or would be. */
        private int placeOf(long key) {
            int mask = table.length - 1;
            int at = Long.hashCode(key * 0x9E3779B97F4A7C15L) & mask;
            while (table[at] != FREE && keyOf[table[at] - 1] != key) {
                at = (at + 1) & mask;
            }
            return at;
        }

        private void grow() {
            keyOf = Arrays.copyOf(keyOf, 2 * size);
            sorted = new long[2 * size];
            rankOf = new int[2 * size];
            table = new int[4 * size];
            for (int slot = 0; slot < size; slot++) {
                table[placeOf(keyOf[slot])] = slot + 1;
            }
        }

        /** Orders the keys there are. */
        void rank() {
            System.arraycopy(keyOf, 0, sorted, 0, size);
            Arrays.sort(sorted, 0, size);
            for (int slot = 0; slot < size; slot++) {
                rankOf[slot] = Arrays.binarySearch(sorted, 0, size, keyOf[slot]);
            }
        }

        /** How many smaller keys there are, once they are ordered. */
        int rankOf(int slot) {
            return rankOf[slot];
        }
    }
}
