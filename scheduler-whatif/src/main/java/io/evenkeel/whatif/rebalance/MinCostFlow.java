package io.evenkeel.whatif.rebalance;

import io.evenkeel.whatif.rebalance.MoveSearch.Effort;
import java.util.Arrays;
import java.util.PriorityQueue;

/**
 * A circulation that costs the least: what flows into a vertex flows out again, and each arc carries at least so much and at most so
 * much. It begins with a circulation that may break these bounds, but costs nothing, and mends it along the cheapest ways: successive
 * shortest paths, found with Dijkstra's algorithm on costs less potentials. Costs O(d · E log V), where d is how much there is to mend.
 *
 * <pre>{@code
 *          ┌──▶ a ── at most 2 ──▶┐     three flow by a: one goes back to the start,
 *   start ─┤                      ├──▶  and by b, at a cost of 1
 *          └──▶ b ── 1 a unit ───▶┘
 * }</pre>
 */
final class MinCostFlow {
    /** There is no circulation within the bounds. */
    static final int NONE = -1;

    /** There was not enough effort left to find out. */
    static final int UNKNOWN = -2;

    /** More than ever flows. */
    static final int MUCH = Integer.MAX_VALUE / 4;

    private static final int FAR = Integer.MAX_VALUE;
    private static final int NO_ARC = -1;
    private static final int ARCS_A_MOVE = 64;

    // arc i goes forward as 2i and backward as 2i + 1: where to, and how much more it takes that way
    private int[] heads = new int[256];
    private int[] nexts = new int[256];
    private int[] left = new int[256];
    private int[] costs = new int[256];
    private int[] lowers = new int[128];
    private int[] uppers = new int[128];
    private int[] flows = new int[128];
    private int[] firsts = new int[64];
    private int vertices;
    private int arcs;

    int vertex() {
        if (vertices == firsts.length) {
            firsts = Arrays.copyOf(firsts, 2 * vertices);
        }
        firsts[vertices] = NO_ARC;
        return vertices++;
    }

    /** An arc that carries from lower to upper, each unit at this cost, which is not negative. Returns its number. */
    int arc(int from, int to, int lower, int upper, int cost) {
        if (arcs == flows.length) {
            heads = Arrays.copyOf(heads, 4 * arcs);
            nexts = Arrays.copyOf(nexts, 4 * arcs);
            left = Arrays.copyOf(left, 4 * arcs);
            costs = Arrays.copyOf(costs, 4 * arcs);
            lowers = Arrays.copyOf(lowers, 2 * arcs);
            uppers = Arrays.copyOf(uppers, 2 * arcs);
            flows = Arrays.copyOf(flows, 2 * arcs);
        }
        lowers[arcs] = lower;
        uppers[arcs] = upper;
        link(2 * arcs, from, to, cost);
        link(2 * arcs + 1, to, from, -cost);
        return arcs++;
    }

    private void link(int end, int from, int to, int cost) {
        heads[end] = to;
        costs[end] = cost;
        nexts[end] = firsts[from];
        firsts[from] = end;
    }

    /** So much more flows through the arc to begin with; one that costs nothing. */
    void begin(int arc, int more) {
        flows[arc] += more;
    }

    /** How much flows through the arc in the end. */
    int flow(int arc) {
        return lowers[arc] + left[2 * arc + 1];
    }

    /** The least cost of a circulation within the bounds, {@link #NONE} or {@link #UNKNOWN}; to be asked once. */
    int run(Effort effort) {
        int[] excess = new int[vertices];
        for (int arc = 0; arc < arcs; arc++) {
            if (lowers[arc] > uppers[arc]) {
                return NONE;
            }
            int flow = Math.clamp(flows[arc], lowers[arc], uppers[arc]);
            left[2 * arc] = uppers[arc] - flow;
            left[2 * arc + 1] = flow - lowers[arc];
            excess[heads[2 * arc]] += flow - flows[arc];
            excess[heads[2 * arc + 1]] -= flow - flows[arc];
        }
        int[] potentials = new int[vertices];
        int[] distances = new int[vertices];
        int[] ways = new int[vertices];
        int cost = 0;
        while (Arrays.stream(excess).anyMatch(surplus -> surplus > 0)) {
            if (!effort.spend(1 + arcs / ARCS_A_MOVE)) {
                return UNKNOWN;
            }
            int end = nearestLack(excess, potentials, distances, ways);
            if (end < 0) {
                return NONE;
            }
            for (int vertex = 0; vertex < vertices; vertex++) {
                potentials[vertex] += Math.min(distances[vertex], distances[end]);
            }
            cost += send(end, excess, ways);
        }
        return cost;
    }

    /** The vertex with too little that costs the least to reach from any with too much; the way there is left behind. */
    private int nearestLack(int[] excess, int[] potentials, int[] distances, int[] ways) {
        Arrays.fill(distances, FAR);
        PriorityQueue<Long> queue = new PriorityQueue<>();
        for (int vertex = 0; vertex < vertices; vertex++) {
            if (excess[vertex] > 0) {
                distances[vertex] = 0;
                ways[vertex] = NO_ARC;
                queue.add((long) vertex);
            }
        }
        while (!queue.isEmpty()) {
            long nearest = queue.remove();
            int vertex = (int) nearest;
            int distance = (int) (nearest >> Integer.SIZE);
            if (distance > distances[vertex]) {
                continue;
            }
            if (excess[vertex] < 0) {
                return vertex;
            }
            for (int end = firsts[vertex]; end != NO_ARC; end = nexts[end]) {
                int to = heads[end];
                int by = distance + costs[end] + potentials[vertex] - potentials[to];
                if (left[end] > 0 && by < distances[to]) {
                    distances[to] = by;
                    ways[to] = end;
                    queue.add((long) by << Integer.SIZE | to);
                }
            }
        }
        return -1;
    }

    /** Sends as much as can go on the way to the vertex, and returns the cost of it. */
    private int send(int end, int[] excess, int[] ways) {
        int start = end;
        int most = -excess[end];
        int cost = 0;
        while (ways[start] != NO_ARC) {
            most = Math.min(most, left[ways[start]]);
            cost += costs[ways[start]];
            start = heads[ways[start] ^ 1];
        }
        most = Math.min(most, excess[start]);
        for (int vertex = end; ways[vertex] != NO_ARC; vertex = heads[ways[vertex] ^ 1]) {
            left[ways[vertex]] -= most;
            left[ways[vertex] ^ 1] += most;
        }
        excess[start] -= most;
        excess[end] += most;
        return most * cost;
    }
}
