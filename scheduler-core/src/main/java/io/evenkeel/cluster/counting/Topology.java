package io.evenkeel.cluster.counting;

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
 */
public final class Topology {
    public static final int NO_DOMAIN = -1;
    private static final int MOST_DOMAINS_WITH_SETS = 64;

    /**
     * Topologies are told apart by their label and by what its absence means.
     *
     * @param absentIsEmpty whether a node without the label is in the domain of the empty value
     */
    public record Key(String label, boolean absentIsEmpty) {}

    private final Key key;
    private final Map<String, Integer> ids = new HashMap<>();
    private final ArrayDeque<Integer> freeIds = new ArrayDeque<>();
    private int[] domainOf = new int[64];
    private String[] values = new String[8];
    private int[] nodeCount = new int[8];
    private @Nullable NodeSet[] nodeSets = new NodeSet[8];
    private int end;
    private final NodeSet labelled = new NodeSet();
    private int labelledCount;
    int references;

    Topology(Key key) {
        this.key = key;
        Arrays.fill(domainOf, NO_DOMAIN);
        Arrays.fill(values, "");
    }

    public Key key() {
        return key;
    }

    /** The node's domain, or {@link #NO_DOMAIN}. */
    public int domainOf(int node) {
        return node < domainOf.length ? domainOf[node] : NO_DOMAIN;
    }

    /** The column of domains by node, at least as long as the node table's {@code end}; to be read only. */
    public int[] domains(int end) {
        ensureNodes(end);
        return domainOf;
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
        ensureNodes(node + 1);
        domainOf[node] = domain;
        nodeCount[domain]++;
        labelledCount++;
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
        domainOf[node] = NO_DOMAIN;
        nodeCount[domain]--;
        labelledCount--;
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
            int capacity = values.length * 2;
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

    private void ensureNodes(int needed) {
        if (needed > domainOf.length) {
            int before = domainOf.length;
            domainOf = Arrays.copyOf(domainOf, Math.max(needed, before * 2));
            Arrays.fill(domainOf, before, domainOf.length, NO_DOMAIN);
        }
    }
}
