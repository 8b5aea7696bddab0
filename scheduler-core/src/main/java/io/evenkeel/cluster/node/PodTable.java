package io.evenkeel.cluster.node;

import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.model.Pod;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The pods that are on nodes, as rows that are linked by node, so that the pods of a node are walked without looking at
 * others. Pods that were placed but whose binding nobody has confirmed yet are "assumed".
 *
 * <p>The newest pod of a node is linked first. That order is the reference's, from its end: there too the last pod takes the
 * place of one that goes, and one that is heard of again goes and comes.
 *
 * <pre>
 * a, b, c came            c b a
 * a is heard of again     a b c
 * b goes                  a c
 * </pre>
 */
public final class PodTable {
    public static final int NONE = -1;
    private static final int FIRST_CAPACITY = 64;

    private final Map<String, Integer> ids = new HashMap<>();
    private final ArrayDeque<Integer> freeIds = new ArrayDeque<>();
    private final BitSet assumed = new BitSet();
    private int end;

    private @Nullable Pod[] pods = new Pod[FIRST_CAPACITY];
    private @Nullable Facet<PodShape>[] shapes = newFacets(FIRST_CAPACITY);
    private int[] nodes = new int[FIRST_CAPACITY];
    private int[] nextOnNode = new int[FIRST_CAPACITY];
    private int[] previousOnNode = new int[FIRST_CAPACITY];
    private int[] firstOnNode = {};

    private PodTable() {}

    /** Starts empty; the caller is to change it. */
    public static Writer create() {
        return new PodTable().new Writer();
    }

    /** The row of the pod with this {@code namespace/name}, or -1. */
    public int find(String key) {
        return ids.getOrDefault(key, NONE);
    }

    public int count() {
        return ids.size();
    }

    /** One more than the highest row in use; rows below may be {@link #isFree}. */
    public int end() {
        return end;
    }

    public boolean isFree(int row) {
        return pods[row] == null;
    }

    public Pod pod(int row) {
        return present(pods[row], row);
    }

    public Facet<PodShape> shape(int row) {
        return present(shapes[row], row);
    }

    public int node(int row) {
        return nodes[row];
    }

    public boolean isAssumed(int row) {
        return assumed.get(row);
    }

    /** The newest pod on the node or -1; {@link #nextOnNode} leads on. */
    public int firstOnNode(int node) {
        return node < firstOnNode.length ? firstOnNode[node] : NONE;
    }

    public int nextOnNode(int row) {
        return nextOnNode[row];
    }

    /** The pod before it on its node or -1. */
    public int previousOnNode(int row) {
        return previousOnNode[row];
    }

    Collection<Integer> freeRows() {
        return freeIds;
    }

    /** Changes the table; made with it, and not to be had from it. */
    public final class Writer {
        private Writer() {}

        public PodTable table() {
            return PodTable.this;
        }

        /** Adds a row, on its node right after that of {@code after}, or as the first where that is -1. */
        public int add(Pod pod, Facet<PodShape> shape, int node, boolean isAssumed, int after) {
            int row = freeIds.isEmpty() ? end : freeIds.pop();
            end = Math.max(end, row + 1);
            ensureCapacity(end);
            ensureNode(node);
            ids.put(pod.key(), row);
            pods[row] = pod;
            shapes[row] = shape;
            nodes[row] = node;
            assumed.set(row, isAssumed);
            linkOnNode(row, after);
            return row;
        }

        public void remove(int row) {
            unlink(row);
            ids.remove(pod(row).key());
            pods[row] = null;
            shapes[row] = null;
            assumed.clear(row);
            freeIds.push(row);
        }

        /** The newest pod of the node and this one change places. */
        public void becomeNewest(int row) {
            int newest = firstOnNode[nodes[row]];
            if (newest == row) {
                return;
            }
            int before = previousOnNode[row];
            unlink(row);
            linkOnNode(row, NONE);
            if (before != newest) {
                unlink(newest);
                linkOnNode(newest, before);
            }
        }

        public void replace(int row, Pod pod, boolean isAssumed) {
            pods[row] = pod;
            assumed.set(row, isAssumed);
        }
    }

    private void unlink(int row) {
        int next = nextOnNode[row];
        int previous = previousOnNode[row];
        if (previous == NONE) {
            firstOnNode[nodes[row]] = next;
        } else {
            nextOnNode[previous] = next;
        }
        if (next != NONE) {
            previousOnNode[next] = previous;
        }
    }

    private void linkOnNode(int row, int after) {
        int next;
        if (after == NONE) {
            next = firstOnNode[nodes[row]];
            firstOnNode[nodes[row]] = row;
        } else {
            next = nextOnNode[after];
            nextOnNode[after] = row;
        }
        if (next != NONE) {
            previousOnNode[next] = row;
        }
        previousOnNode[row] = after;
        nextOnNode[row] = next;
    }

    private static <T> T present(@Nullable T value, int row) {
        if (value == null) {
            throw new NoSuchElementException("no pod in row " + row);
        }
        return value;
    }

    private void ensureNode(int node) {
        if (node >= firstOnNode.length) {
            int before = firstOnNode.length;
            firstOnNode = Arrays.copyOf(firstOnNode, Math.max(node + 1, before * 2));
            Arrays.fill(firstOnNode, before, firstOnNode.length, NONE);
        }
    }

    private void ensureCapacity(int needed) {
        if (needed <= nodes.length) {
            return;
        }
        int capacity = Math.max(needed, nodes.length * 2);
        pods = Arrays.copyOf(pods, capacity);
        shapes = Arrays.copyOf(shapes, capacity);
        nodes = Arrays.copyOf(nodes, capacity);
        nextOnNode = Arrays.copyOf(nextOnNode, capacity);
        previousOnNode = Arrays.copyOf(previousOnNode, capacity);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static @Nullable Facet<PodShape>[] newFacets(int length) {
        return new Facet[length];
    }
}
