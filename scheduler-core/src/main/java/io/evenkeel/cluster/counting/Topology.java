package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.node.IntLongMap;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The domains that a node label divides the cluster into: for each present node the id of its domain, for each domain
 * its value and how many nodes it has. Ids of domains without nodes are used again.
 *
 * <p>Nodes without the label are in no domain, unless the topology reads an absent label as an empty one, as the
 * reference does for its built-in default constraints.
 *
 * <p>While there are few domains, as with zones, each also has its nodes as a set, so that whole domains can be ruled
 * in or out at once; with many, as with host names, that would be a bit for each pair of nodes.
 *
 * <p>Whoever may create pods may name any label, thousands of them in one pod. So what is kept grows with the nodes that have the
 * label: it is a column of all nodes only where one in {@link #COLUMN_ABOVE} has it.
 */
public final class Topology {
    public static final int NO_DOMAIN = -1;
    private static final int MOST_DOMAINS_WITH_SETS = 64;
    private static final int COLUMN_ABOVE = 32;
    private static final int FEW_NODES = 16;
    private static final int[] NO_NODES = {};
    private static final IntLongMap NONE = new IntLongMap();

    /** Reads the domains of all nodes, of one topology after the other. Whoever reads two at a time has a reader for each. */
    public static final class Column {
        private int[] domainOf = {};

        /**
         * The topology's domains by node, at least as long as {@code end}; to be read only, and only until the cluster changes or
         * this reader is asked for another's.
         */
        public int[] of(Topology topology, int end) {
            IntLongMap few = topology.few;
            if (few != null) {
                return written(few, end);
            }
            topology.ensureNodes(end);
            return topology.domainOf;
        }

        private int[] written(IntLongMap few, int end) {
            if (domainOf.length < end) {
                domainOf = new int[end + end / 4];
            }
            Arrays.fill(domainOf, 0, end, NO_DOMAIN);
            for (int slot = 0; slot < few.slots(); slot++) {
                if (few.keyAt(slot) != IntLongMap.FREE) {
                    domainOf[few.keyAt(slot)] = (int) few.countAt(slot) - 1;
                }
            }
            return domainOf;
        }
    }

    /**
     * Topologies are told apart by their label and by what its absence means.
     *
     * @param absentIsEmpty whether a node without the label is in the domain of the empty value
     */
    public record Key(String label, boolean absentIsEmpty) {}

    private final Key key;
    private final Map<String, Integer> ids = new HashMap<>();
    private final ArrayDeque<Integer> freeIds = new ArrayDeque<>(0);
    /** While few nodes have the label, each one's domain + 1; else it is in the column. */
    private @Nullable IntLongMap few = NONE;

    private int[] domainOf = NO_NODES;
    private String[] values = {};
    private int[] nodeCount = {};
    private @Nullable NodeSet[] nodeSets = {};
    private int end;
    private int highest;
    private final NodeSet labelled = new NodeSet();
    private int labelledCount;
    int references;

    Topology(Key key) {
        this.key = key;
    }

    public Key key() {
        return key;
    }

    /** The node's domain, or {@link #NO_DOMAIN}. */
    public int domainOf(int node) {
        if (few != null) {
            return (int) few.get(node) - 1;
        }
        return node < domainOf.length ? domainOf[node] : NO_DOMAIN;
    }

    /** One more than the highest domain id in use. */
    public int end() {
        return end;
    }

    Collection<Integer> freeDomains() {
        return freeIds;
    }

    /** The nodes that are in some domain. */
    public NodeSetView nodes() {
        return labelled;
    }

    /** How many nodes are in some domain. */
    public int nodeCount() {
        return labelledCount;
    }

    /** Whether a node has this value. */
    public boolean has(String value) {
        return ids.containsKey(value);
    }

    /** The domain of the nodes that have this value, or {@link #NO_DOMAIN} where none has. */
    public int find(String value) {
        return ids.getOrDefault(value, NO_DOMAIN);
    }

    public int domainCount() {
        return ids.size();
    }

    public String value(int domain) {
        return values[domain];
    }

    public int nodeCount(int domain) {
        return nodeCount[domain];
    }

    /** Whether {@link #nodesOf} can be asked. */
    public boolean hasNodeSets() {
        return end <= MOST_DOMAINS_WITH_SETS;
    }

    public NodeSetView nodesOf(int domain) {
        NodeSet nodes = nodeSets[domain];
        return nodes == null ? EMPTY : nodes;
    }

    private static final NodeSetView EMPTY = new NodeSet();

    void addNode(int node, NodeTable table) {
        int index = table.node(node).labels().find(key.label());
        if (index < 0 && !key.absentIsEmpty()) {
            return;
        }
        String value = index < 0 ? "" : table.node(node).labels().valueAt(index);
        int domain = ids.computeIfAbsent(value, this::newDomain);
        labelledCount++;
        put(node, domain);
        nodeCount[domain]++;
        labelled.add(node);
        if (hasNodeSets()) {
            setOf(domain).add(node);
        }
    }

    void removeNode(int node) {
        int domain = domainOf(node);
        if (domain == NO_DOMAIN) {
            return;
        }
        labelledCount--;
        take(node, domain);
        nodeCount[domain]--;
        labelled.remove(node);
        if (hasNodeSets()) {
            setOf(domain).remove(node);
        }
        if (nodeCount[domain] == 0) {
            ids.remove(values[domain]);
            values[domain] = "";
            freeIds.push(domain);
        }
    }

    /** Room for so many nodes: what it takes to keep their domains. */
    int room() {
        return few == null ? domainOf.length : few == NONE ? 0 : few.slots();
    }

    /** Its domains, as text. */
    String description() {
        List<String> domains = new ArrayList<>();
        for (int domain = 0; domain < end; domain++) {
            if (nodeCount[domain] > 0) {
                domains.add("#" + domain + " " + values[domain] + " " + nodeCount[domain]
                        + (hasNodeSets() ? nodesOf(domain) : ""));
            }
        }
        return key + " " + domains;
    }

    private int newDomain(String value) {
        int domain = freeIds.isEmpty() ? end : freeIds.pop();
        if (domain == end) {
            boolean hadNodeSets = hasNodeSets();
            end++;
            if (hadNodeSets && !hasNodeSets()) {
                nodeSets = new NodeSet[0];
            }
        }
        if (domain >= values.length) {
            int capacity = Math.max(8, values.length * 2);
            int before = values.length;
            values = Arrays.copyOf(values, capacity);
            Arrays.fill(values, before, capacity, "");
            nodeCount = Arrays.copyOf(nodeCount, capacity);
            if (hasNodeSets()) {
                nodeSets = Arrays.copyOf(nodeSets, capacity);
            }
        }
        values[domain] = value;
        return domain;
    }

    private NodeSet setOf(int domain) {
        NodeSet nodes = nodeSets[domain];
        if (nodes == null) {
            nodes = new NodeSet();
            nodeSets[domain] = nodes;
        }
        return nodes;
    }

    private void put(int node, int domain) {
        IntLongMap kept = few;
        if (kept == null) {
            ensureNodes(node + 1);
            domainOf[node] = domain;
            return;
        }
        if (kept == NONE) {
            kept = new IntLongMap();
            few = kept;
        }
        kept.add(node, domain + 1);
        highest = Math.max(highest, node);
        if (labelledCount > FEW_NODES + highest / COLUMN_ABOVE) {
            few = null;
            domainOf = Arrays.copyOf(new Column().written(kept, highest + 1), highest + 1);
        }
    }

    private void take(int node, int domain) {
        if (labelledCount == 0) {
            few = NONE;
            domainOf = NO_NODES;
        } else if (few != null) {
            few.add(node, -(domain + 1));
        } else {
            domainOf[node] = NO_DOMAIN;
        }
    }

    private void ensureNodes(int needed) {
        if (needed > domainOf.length) {
            int before = domainOf.length;
            domainOf = Arrays.copyOf(domainOf, Math.max(needed, before * 2));
            Arrays.fill(domainOf, before, domainOf.length, NO_DOMAIN);
        }
    }
}
