package io.evenkeel.groups;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.Node;
import io.evenkeel.model.Taint;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The facts that all searches for a group start from: which nodes are twins. Found out once, and only where the budget allows a
 * search.
 */
final class SearchContext {
    private final Board board;
    private final MembersByKind crew;
    private int[] twins = {};
    private boolean isKnown;

    SearchContext(Board board, MembersByKind crew) {
        this.board = board;
        this.crew = crew;
    }

    /** Nothing on any node. */
    Contents contents() {
        if (!isKnown && !board.isSpent()) {
            isKnown = true;
            board.spend(board.view().nodes().count() / Contents.NODES_A_QUESTION);
            twins = Twins.find(board.view(), crew.mayFit(), crew.allowsTwins(board.view()));
        }
        return new Contents(twins);
    }

    /**
     * Nodes without pods that differ in nothing but the name and a host name that no other node has, and of which the filters say
     * the same to each kind. Swapping two of them in a state gives a state that is legal just when the first was. Pods with
     * volumes, which may be bound to single nodes, and plugins that are not in the tree allow no twins.
     */
    static final class Twins {

        private record Looks(
                Labels labels,
                boolean unschedulable,
                List<Taint> taints,
                Map<String, Quantity> allocatable,
                Set<String> features,
                List<Boolean> mayFit) {}

        private Twins() {}

        /**
         * By node, the first of its twins.
         *
         * @param mayFit by kind, where its pods fit or may fit
         * @param areAllowed whether twins are looked for
         */
        static int[] find(ClusterView cluster, List<NodeSetView> mayFit, boolean areAllowed) {
            NodeTable nodes = cluster.nodes();
            List<NodeSetView> distinct = mayFit.stream().distinct().toList();
            int[] twins = withoutTwins(nodes);
            Map<Looks, Integer> known = new HashMap<>();
            Set<String> hostnames = new HashSet<>();
            for (int node = nodes.present().first();
                    node >= 0;
                    node = nodes.present().next(node + 1)) {
                Labels labels = nodes.node(node).labels();
                boolean alone = !labels.has(Node.HOSTNAME) || hostnames.add(labels.getOrDefault(Node.HOSTNAME, ""));
                if (!alone) {
                    return withoutTwins(nodes);
                }
                if (areAllowed && nodes.podCount(node) == 0) {
                    int id = node;
                    Integer twin = known.putIfAbsent(
                            looks(
                                    nodes.node(node),
                                    distinct.stream()
                                            .map(set -> set.contains(id))
                                            .toList()),
                            node);
                    twins[node] = twin == null ? node : twin;
                }
            }
            return twins;
        }

        private static int[] withoutTwins(NodeTable nodes) {
            return IntStream.range(0, nodes.end()).toArray();
        }

        private static Looks looks(Node node, List<Boolean> mayFit) {
            return new Looks(
                    node.labels().retain(key -> !key.equals(Node.HOSTNAME)),
                    node.unschedulable(),
                    node.taints(),
                    node.allocatable(),
                    node.declaredFeatures(),
                    mayFit);
        }
    }
}
