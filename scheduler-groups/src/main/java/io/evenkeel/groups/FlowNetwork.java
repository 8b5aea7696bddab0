package io.evenkeel.groups;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;

/**
 * A network of edges that carry at least so much and at most so much, and a circulation in it: what flows into a vertex flows out
 * again. Found with Dinic's algorithm after the lower bounds have been sent by way of two extra vertices.
 *
 * <p>There is none just where some set of vertices must be given more than it may give (Hoffman): the lower bounds of the
 * edges into it sum up to more than the upper bounds of those out of it. Such a set is the {@link #cut}, and whoever adds up
 * those bounds again has proved it. Costs O(V² E) at worst, and on networks of three layers about E √V.
 *
 * <pre>{@code
 *        at least 3        at most 2
 *    s ─────────────▶ a ─────────────▶ t     the cut is {a}: 3 must come in, 2 may go out
 * }</pre>
 */
final class FlowNetwork {
    private int[] heads = new int[64];
    private int[] nexts = new int[64];
    private int[] left = new int[64];
    private int[] lowers = new int[64];
    private int[] firsts = new int[16];
    private int[] excess = new int[16];
    private int vertices;
    private int edges;
    private int[] levels = {};
    private int[] currents = {};
    private BitSet cut = new BitSet();

    int vertex() {
        if (vertices == firsts.length) {
            firsts = Arrays.copyOf(firsts, 2 * vertices);
            excess = Arrays.copyOf(excess, 2 * vertices);
        }
        firsts[vertices] = -1;
        return vertices++;
    }

    /** An edge that carries from {@code lower} to {@code upper}; answers its number, for {@link #flow}. */
    int edge(int from, int to, int lower, int upper) {
        int edge = add(from, to, upper - lower);
        lowers[edge >> 1] = lower;
        excess[to] += lower;
        excess[from] -= lower;
        return edge;
    }

    private int add(int from, int to, int capacity) {
        if (edges + 2 > heads.length) {
            heads = Arrays.copyOf(heads, 2 * heads.length);
            nexts = Arrays.copyOf(nexts, 2 * nexts.length);
            left = Arrays.copyOf(left, 2 * left.length);
            lowers = Arrays.copyOf(lowers, heads.length);
        }
        link(from, to, capacity);
        link(to, from, 0);
        return edges - 2;
    }

    private void link(int from, int to, int capacity) {
        heads[edges] = to;
        left[edges] = capacity;
        nexts[edges] = firsts[from];
        firsts[from] = edges++;
    }

    /** Whether there is a circulation; to be asked once. */
    boolean circulates() {
        int own = vertices;
        int source = vertex();
        int sink = vertex();
        long wanted = 0;
        for (int vertex = 0; vertex < own; vertex++) {
            if (excess[vertex] > 0) {
                add(source, vertex, excess[vertex]);
                wanted += excess[vertex];
            } else if (excess[vertex] < 0) {
                add(vertex, sink, -excess[vertex]);
            }
        }
        long sent = 0;
        while (reaches(source, sink)) {
            currents = Arrays.copyOf(firsts, vertices);
            for (int more = send(source, sink, Integer.MAX_VALUE); more > 0; ) {
                sent += more;
                more = send(source, sink, Integer.MAX_VALUE);
            }
        }
        cut = new BitSet();
        for (int vertex = 0; vertex < own; vertex++) {
            cut.set(vertex, levels[vertex] >= 0);
        }
        return sent == wanted;
    }

    /** Returns how much the edge carries. */
    int flow(int edge) {
        return lowers[edge >> 1] + left[edge ^ 1];
    }

    /** Where there is no circulation, vertices that must be given more than they may give. */
    BitSet cut() {
        return cut;
    }

    private boolean reaches(int source, int sink) {
        levels = new int[vertices];
        Arrays.fill(levels, -1);
        levels[source] = 0;
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        queue.add(source);
        while (!queue.isEmpty()) {
            int vertex = queue.remove();
            for (int edge = firsts[vertex]; edge >= 0; edge = nexts[edge]) {
                if (left[edge] > 0 && levels[heads[edge]] < 0) {
                    levels[heads[edge]] = levels[vertex] + 1;
                    queue.add(heads[edge]);
                }
            }
        }
        return levels[sink] >= 0;
    }

    /** As deep as the shortest way is long. */
    private int send(int vertex, int sink, int most) {
        if (vertex == sink) {
            return most;
        }
        for (; currents[vertex] >= 0; currents[vertex] = nexts[currents[vertex]]) {
            int edge = currents[vertex];
            if (left[edge] > 0 && levels[heads[edge]] == levels[vertex] + 1) {
                int sent = send(heads[edge], sink, Math.min(most, left[edge]));
                if (sent > 0) {
                    left[edge] -= sent;
                    left[edge ^ 1] += sent;
                    return sent;
                }
            }
        }
        return 0;
    }

    /** The cost of a flow, in questions to the filters that take about as long. */
    static final class FlowCost {
        private static final int CELLS_AND_PODS_A_QUESTION = 16;

        private FlowCost() {}

        /** Of so many pods through the model, and of an order for it. */
        static long of(AlikeModel model, int pods) {
            return 1 + ((long) model.cells() + pods) / CELLS_AND_PODS_A_QUESTION;
        }
    }
}
