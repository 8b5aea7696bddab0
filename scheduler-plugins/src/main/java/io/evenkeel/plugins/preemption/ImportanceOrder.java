package io.evenkeel.plugins.preemption;

import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.model.Pod;
import java.util.Arrays;

/**
 * The pods of each node, the most important first: sorted when they are asked for, and kept until the node's pods change. So
 * those that may go for a pod are the last ones, whatever its priority. Of equal ones the first to come is the most important;
 * of those that have not started, the last.
 */
final class ImportanceOrder {
    private static final long[] NONE = {};

    private final PodTable pods;
    private final NodeSet known = new NodeSet();
    /** By node, of each pod its priority and its row. */
    private long[][] byNode = {};

    ImportanceOrder(PodTable pods) {
        this.pods = pods;
    }

    /** To be called where pods have come, gone or changed. */
    void forget(int node) {
        known.remove(node);
    }

    /** To be read only, and only until the cluster changes; see {@link #priority} and {@link #row}. */
    long[] on(int node) {
        if (!known.contains(node)) {
            if (node >= byNode.length) {
                int before = byNode.length;
                byNode = Arrays.copyOf(byNode, node + 1 + (node >> 1));
                Arrays.fill(byNode, before, byNode.length, NONE);
            }
            byNode[node] = sorted(node);
            known.add(node);
        }
        return byNode[node];
    }

    static int priority(long entry) {
        return (int) (entry >> Integer.SIZE);
    }

    static int row(long entry) {
        return (int) entry;
    }

    private long[] sorted(int node) {
        int count = 0;
        for (int row = pods.firstOnNode(node); row != PodTable.NONE; row = pods.nextOnNode(row)) {
            count++;
        }
        long[] entries = new long[count];
        String[] starts = new String[count];
        int sorted = 0;
        for (int row = pods.firstOnNode(node); row != PodTable.NONE; row = pods.nextOnNode(row)) {
            Pod pod = pods.pod(row);
            int priority = Victims.priority(pod);
            String start = Victims.start(pod);
            int place = placeOf(priority, start, entries, starts, sorted);
            System.arraycopy(entries, place, entries, place + 1, sorted - place);
            System.arraycopy(starts, place, starts, place + 1, sorted - place);
            entries[place] = (long) priority << Integer.SIZE | row;
            starts[place] = start;
            sorted++;
        }
        return entries;
    }

    /** Of one that came before those. */
    private static int placeOf(int priority, String start, long[] entries, String[] starts, int count) {
        int from = 0;
        int to = count;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (!Victims.isMoreImportant(priority(entries[middle]), starts[middle], priority, start)) {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        return from;
    }

    /** Whether what is kept for the node is what it would be. */
    boolean isRight(int node) {
        return !known.contains(node) || Arrays.equals(byNode[node], sorted(node));
    }
}
