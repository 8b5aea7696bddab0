package io.evenkeel.cluster.node;

import io.evenkeel.cluster.index.AuditFacts;
import io.evenkeel.cluster.index.Differences;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/**
 * A number for each node, most of them zero as a rule: a hash map while few nodes have one, an array once more than a
 * quarter of the nodes do (from there on the array is smaller). Reading and adding are O(1) either way.
 */
public final class NodeCounts {
    private static final int SPARSE_ALWAYS_BELOW = 64;

    private IntIntMap sparse = new IntIntMap();
    private int[] dense = {};
    private boolean isDense;
    private int nonZero;
    private int highestNode = -1;

    private NodeCounts() {}

    /** Zero everywhere, in the hands of whoever is to count. */
    public static Writer create() {
        return new NodeCounts().new Writer();
    }

    public int get(int node) {
        if (isDense) {
            return node < dense.length ? dense[node] : 0;
        }
        return sparse.get(node);
    }

    /** How many nodes have a number that is not zero. */
    public int size() {
        return isDense ? nonZero : sparse.size();
    }

    /** Writes those nodes and their numbers into arrays, in no order, and returns how many they are. */
    public int writeTo(int[] targetNodes, int[] targetCounts) {
        int written = 0;
        if (isDense) {
            for (int node = 0; node < dense.length && written < nonZero; node++) {
                if (dense[node] != 0) {
                    targetNodes[written] = node;
                    targetCounts[written++] = dense[node];
                }
            }
            return written;
        }
        for (int slot = 0; slot < sparse.slots(); slot++) {
            if (sparse.keyAt(slot) != IntIntMap.FREE) {
                targetNodes[written] = sparse.keyAt(slot);
                targetCounts[written++] = sparse.countAt(slot);
            }
        }
        return written;
    }

    /** Writes the numbers of all nodes below {@code end} into an array. */
    public void writeTo(int[] target, int end) {
        if (isDense) {
            int kept = Math.min(end, dense.length);
            System.arraycopy(dense, 0, target, 0, kept);
            Arrays.fill(target, kept, end, 0);
            return;
        }
        Arrays.fill(target, 0, end, 0);
        for (int slot = 0; slot < sparse.slots(); slot++) {
            int node = sparse.keyAt(slot);
            if (node != IntIntMap.FREE && node < end) {
                target[node] = sparse.countAt(slot);
            }
        }
    }

    /** Visits the nodes whose number is not zero. */
    public void forEachNode(IntConsumer visitor) {
        if (isDense) {
            for (int node = 0; node < dense.length; node++) {
                if (dense[node] != 0) {
                    visitor.accept(node);
                }
            }
            return;
        }
        for (int slot = 0; slot < sparse.slots(); slot++) {
            if (sparse.keyAt(slot) != IntIntMap.FREE) {
                visitor.accept(sparse.keyAt(slot));
            }
        }
    }

    /** Those numbers by the nodes' names, for people. */
    public Map<String, Integer> byName(IntFunction<String> nameOf) {
        Map<String, Integer> byName = new TreeMap<>();
        forEachNode(node -> byName.put(nameOf.apply(node), get(node)));
        return byName;
    }

    /** Compares with a recount, wherever one of both sides has a number that is not zero. */
    public void audit(String what, Map<Integer, Integer> recounted, AuditFacts facts, Differences differences) {
        forEachNode(node -> differences.compare(
                () -> what + " on node " + facts.nameOf(node), get(node), recounted.getOrDefault(node, 0)));
        recounted.forEach((node, count) -> {
            if (get(node) == 0) {
                differences.compare(() -> what + " on node " + facts.nameOf(node), 0, count);
            }
        });
    }

    /** What counts: made with the numbers, and not to be had from them. */
    public final class Writer {
        private Writer() {}

        public NodeCounts counts() {
            return NodeCounts.this;
        }

        public void add(int node, int delta) {
            highestNode = Math.max(highestNode, node);
            if (isDense) {
                if (node >= dense.length) {
                    dense = Arrays.copyOf(dense, Math.max(node + 1, dense.length * 2));
                }
                int before = dense[node];
                dense[node] = before + delta;
                nonZero += (dense[node] != 0 ? 1 : 0) - (before != 0 ? 1 : 0);
                return;
            }
            sparse.add(node, delta);
            if (sparse.size() > SPARSE_ALWAYS_BELOW && sparse.size() > highestNode / 4) {
                becomeDense();
            }
        }
    }

    private void becomeDense() {
        int[] all = new int[highestNode + 1];
        for (int slot = 0; slot < sparse.slots(); slot++) {
            if (sparse.keyAt(slot) != IntIntMap.FREE) {
                all[sparse.keyAt(slot)] = sparse.countAt(slot);
            }
        }
        nonZero = sparse.size();
        dense = all;
        isDense = true;
        sparse = new IntIntMap();
    }
}
