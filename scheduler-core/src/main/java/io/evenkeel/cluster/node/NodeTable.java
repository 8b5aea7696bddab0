package io.evenkeel.cluster.node;

import io.evenkeel.cluster.shape.PodResources;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.cluster.shape.ResourceVector;
import io.evenkeel.model.Node;
import io.evenkeel.model.value.Quantity;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The nodes as columns: the row is the node's id, a small int that is used again after the node is gone.
 *
 * <p>A row exists for each node that is present and for each name that pods say they run on; the rows of the second
 * kind, whose Node has not come yet or has already gone, hold pods but take none. Requested amounts are the exact sums
 * over the pods of the row.
 */
public final class NodeTable {
    private static final int FIRST_CAPACITY = 64;

    private final ResourceNames resources;
    private final ResourceColumns columns;
    private final Map<String, Integer> ids = new HashMap<>();
    private final ArrayDeque<Integer> freeIds = new ArrayDeque<>();
    private final NodeSet present = new NodeSet();
    private int presentCount;
    private int end;

    private @Nullable Node[] nodes = new Node[FIRST_CAPACITY];
    private String[] names = new String[FIRST_CAPACITY];
    private int[] podCount = new int[FIRST_CAPACITY];
    private int[] allowedPods = new int[FIRST_CAPACITY];
    private long[] nonZeroCpu = new long[FIRST_CAPACITY];
    private long[] nonZeroMemory = new long[FIRST_CAPACITY];

    private NodeTable(ResourceNames resources) {
        this.resources = resources;
        columns = new ResourceColumns(resources, FIRST_CAPACITY);
        Arrays.fill(names, "");
    }

    /** Starts empty; the caller is to change it. */
    public static Writer create(ResourceNames resources) {
        return new NodeTable(resources).new Writer();
    }

    /** One more than the highest id in use. */
    public int end() {
        return end;
    }

    /** How many nodes are present. */
    public int count() {
        return presentCount;
    }

    /** The nodes that are present, to be read only. */
    public NodeSetView present() {
        return present;
    }

    public boolean isPresent(int node) {
        return present.contains(node);
    }

    /** The id of the row with this name, or -1. */
    public int find(String name) {
        return ids.getOrDefault(name, -1);
    }

    /** The id of the node with this name, or -1 where none is present. */
    public int findPresent(String name) {
        int node = find(name);
        return node >= 0 && isPresent(node) ? node : -1;
    }

    public String name(int node) {
        return names[node];
    }

    public Node node(int node) {
        Node found = nodes[node];
        if (found == null) {
            throw new NoSuchElementException("node " + names[node] + " is not present");
        }
        return found;
    }

    public int podCount(int node) {
        return podCount[node];
    }

    public int allowedPods(int node) {
        return allowedPods[node];
    }

    public long allocatable(int resource, int node) {
        return columns.allocatable(resource, node);
    }

    public long requested(int resource, int node) {
        return columns.requested(resource, node);
    }

    /**
     * The least that is free of a resource that every node has, on any of 64 nodes.
     *
     * @param bits which of those from {@code first} on, one at least
     */
    long leastFree(int resource, int first, long bits) {
        return columns.leastFree(resource, first, bits);
    }

    /** The fewest free places for pods on any of 64 nodes. */
    long fewestPlaces(int first, long bits) {
        long fewest = Long.MAX_VALUE;
        for (long rest = bits; rest != 0; rest &= rest - 1) {
            int node = first + Long.numberOfTrailingZeros(rest);
            fewest = Math.min(fewest, (long) allowedPods[node] - podCount[node]);
        }
        return fewest;
    }

    /** All resources that the node offers, with amounts. */
    public ResourceVector offered(int node) {
        return columns.offered(node);
    }

    public long nonZeroCpu(int node) {
        return nonZeroCpu[node];
    }

    public long nonZeroMemory(int node) {
        return nonZeroMemory[node];
    }

    Collection<Integer> freeRows() {
        return freeIds;
    }

    ResourceColumns columns() {
        return columns;
    }

    int rowCount() {
        return ids.size();
    }

    /** Changes the table; made with it, and not to be had from it. */
    public final class Writer {
        private Writer() {}

        public NodeTable table() {
            return NodeTable.this;
        }

        /** The row of this name, made where there is none. */
        public int row(String name) {
            Integer known = ids.get(name);
            if (known != null) {
                return known;
            }
            int node = freeIds.isEmpty() ? end : freeIds.pop();
            end = Math.max(end, node + 1);
            ensureCapacity(end);
            ids.put(name, node);
            names[node] = name;
            return node;
        }

        public void becomePresent(int id, Node node) {
            if (!present.contains(id)) {
                present.add(id);
                presentCount++;
            }
            nodes[id] = node;
            setAllocatable(id, node.allocatable());
        }

        /** The node in a version that schedules like the one before. */
        public void refresh(int id, Node node) {
            nodes[id] = node;
        }

        public void becomeAbsent(int id) {
            present.remove(id);
            presentCount--;
            nodes[id] = null;
            setAllocatable(id, Map.of());
            dropIfUnused(id);
        }

        public void addPod(int node, PodResources pod) {
            change(node, pod, 1);
        }

        public void removePod(int node, PodResources pod) {
            change(node, pod, -1);
            dropIfUnused(node);
        }
    }

    private void change(int node, PodResources pod, int sign) {
        columns.add(node, pod.requests(), sign);
        nonZeroCpu[node] += sign * pod.nonZeroCpu();
        nonZeroMemory[node] += sign * pod.nonZeroMemory();
        podCount[node] += sign;
    }

    private void setAllocatable(int node, Map<String, Quantity> amounts) {
        columns.offer(node, ResourceVector.of(amounts, resources));
        allowedPods[node] = (int) Math.min(
                Integer.MAX_VALUE,
                amounts.getOrDefault(ResourceNames.PODS_NAME, Quantity.ZERO).value());
    }

    private void dropIfUnused(int node) {
        if (podCount[node] == 0 && !present.contains(node)) {
            ids.remove(names[node]);
            names[node] = "";
            freeIds.push(node);
        }
    }

    private void ensureCapacity(int needed) {
        if (needed <= names.length) {
            return;
        }
        int capacity = Math.max(needed, names.length * 2);
        int before = names.length;
        nodes = Arrays.copyOf(nodes, capacity);
        names = Arrays.copyOf(names, capacity);
        Arrays.fill(names, before, capacity, "");
        podCount = Arrays.copyOf(podCount, capacity);
        allowedPods = Arrays.copyOf(allowedPods, capacity);
        nonZeroCpu = Arrays.copyOf(nonZeroCpu, capacity);
        nonZeroMemory = Arrays.copyOf(nonZeroMemory, capacity);
        columns.grow(capacity);
    }
}
