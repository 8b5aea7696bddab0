package io.evenkeel.engine.group;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.Node;
import io.evenkeel.model.Taint;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which kinds of the group are on which nodes while it is tried out, so that two states that differ only in who of twins
 * holds what count as one.
 *
 * <p>Twins are nodes without pods that differ in nothing but the name and a host name that no other node has, and of which
 * the filters say the same to each kind. Swapping two of them in a state gives a state that is legal just when the first
 * was. Pods with volumes, which may be bound to single nodes, and plugins that are not in the tree allow no twins.
 */
final class Contents {
    /** Of states that are kept for they were tried in vain; without those beyond, the way on is longer and no other. */
    static final long MOST_KEPT = 8_000_000;

    /** So much of a state is told in the time of a question to the filters. */
    static final int CHARACTERS_A_QUESTION = 256;

    /** So many nodes are looked at for twins in the time of a question to the filters. */
    static final int NODES_A_QUESTION = 32;

    private static final String HOSTNAME = "kubernetes.io/hostname";

    private record Looks(
            Labels labels,
            boolean unschedulable,
            List<Taint> taints,
            Map<String, Quantity> allocatable,
            Set<String> features,
            List<Boolean> mayFit) {}

    private final int[] twins;
    private final Map<Integer, StringBuilder> byNode = new TreeMap<>();

    private Contents(int[] twins) {
        this.twins = twins;
    }

    /**
     * Nothing on any node.
     *
     * @param mayFit by kind, where its pods fit or may fit
     * @param hasTwins whether twins are looked for
     */
    static Contents of(ClusterView cluster, List<NodeSetView> mayFit, boolean hasTwins) {
        NodeTable nodes = cluster.nodes();
        int[] twins = new int[nodes.end()];
        Map<Looks, Integer> known = new HashMap<>();
        Set<String> hostnames = new HashSet<>();
        for (int node = nodes.present().first();
                node >= 0;
                node = nodes.present().next(node + 1)) {
            Labels labels = nodes.node(node).labels();
            boolean alone = !labels.has(HOSTNAME) || hostnames.add(labels.getOrDefault(HOSTNAME, ""));
            twins[node] = node;
            if (!alone) {
                return withoutTwins(nodes);
            }
            if (hasTwins && nodes.podCount(node) == 0) {
                int id = node;
                Integer twin = known.putIfAbsent(
                        looks(
                                nodes.node(node),
                                mayFit.stream().map(set -> set.contains(id)).toList()),
                        node);
                twins[node] = twin == null ? node : twin;
            }
        }
        return new Contents(twins);
    }

    private static Contents withoutTwins(NodeTable nodes) {
        int[] twins = new int[nodes.end()];
        for (int node = 0; node < twins.length; node++) {
            twins[node] = node;
        }
        return new Contents(twins);
    }

    private static Looks looks(Node node, List<Boolean> mayFit) {
        return new Looks(
                node.labels().retain(key -> !key.equals(HOSTNAME)),
                node.unschedulable(),
                node.taints(),
                node.allocatable(),
                node.declaredFeatures(),
                mayFit);
    }

    void add(int node, int kind) {
        StringBuilder held = byNode.computeIfAbsent(node, _ -> new StringBuilder());
        int at = 0;
        while (at < held.length() && held.charAt(at) <= kind) {
            at++;
        }
        held.insert(at, (char) kind);
    }

    void remove(int node, int kind) {
        StringBuilder held = byNode.computeIfAbsent(node, _ -> new StringBuilder());
        held.deleteCharAt(held.indexOf(String.valueOf((char) kind)));
        if (held.isEmpty()) {
            byNode.remove(node);
        }
    }

    /** The same for nodes that are twins and hold the same: a pod may as well go on one as on the other. */
    String looksOf(int node) {
        StringBuilder held = byNode.get(node);
        return twins[node] + (held == null ? "" : ":" + held);
    }

    /** The same for states that are the same but for who of twins holds what. */
    String state() {
        List<String> all = new ArrayList<>(byNode.size());
        byNode.keySet().forEach(node -> all.add(looksOf(node)));
        all.sort(null);
        return String.join("|", all);
    }
}
