package io.evenkeel.framework.cycle;

import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.NodeStatuses;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.LiveNode;
import io.evenkeel.cluster.node.NodeSetView;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Why a pod fits nowhere, as it was when the pod was tried: no later change of the cluster changes what is said here.
 *
 * @param nodeCount how many nodes the cluster has
 * @param preFilter who turned the pod away outright, before nodes were looked at
 * @param rejections who turned away which nodes, each node once
 * @param alsoInTheWay plugins of which nothing is said here, though what helps them may help the pod: because something
 *     else is said of the nodes that they turned away, or because they would object once others had gone for the pod
 * @param excluded nodes that did not come into question because plugins had narrowed the choice; to be read only
 * @param narrowedBy those plugins' names
 * @param postFilterMessage what PostFilter plugins had to say, and others after them; empty where there is none
 */
public record Diagnosis(
        int nodeCount,
        Optional<PreFilterRejection> preFilter,
        List<Rejection> rejections,
        Set<String> alsoInTheWay,
        NodeSetView excluded,
        List<String> narrowedBy,
        String postFilterMessage)
        implements NodeStatuses {

    /** A plugin that turned the pod away as a whole. */
    public record PreFilterRejection(String plugin, Status status) {}

    /** How many nodes have which reason. A node that has several counts for each. */
    public SortedMap<String, Integer> countsByReason() {
        SortedMap<String, Integer> counts = new TreeMap<>();
        for (Rejection rejection : rejections) {
            int nodes = rejection.nodes().size();
            for (String reason : rejection.status().reasons()) {
                counts.merge(reason, nodes, Integer::sum);
            }
        }
        int notAskedFor = excluded.size();
        if (notAskedFor > 0) {
            counts.merge(excludedReason(), notAskedFor, Integer::sum);
        }
        return counts;
    }

    /** The reason that nodes carry which plugins' narrowing left out. */
    public String excludedReason() {
        return "node(s) didn't satisfy plugin(s) [" + String.join(" ", narrowedBy) + "]";
    }

    /** Why this node was left out. */
    public String reasonAgainst(int node) {
        return statusAgainst(node).map(Status::message).orElseGet(this::excludedReason);
    }

    @Override
    public Optional<Status> against(NodeInfo node) {
        return statusAgainst(LiveNode.idOf(node));
    }

    /** Returns the status against this node, or the pod as a whole; empty where plugins had narrowed the choice to others. */
    public Optional<Status> statusAgainst(int node) {
        if (preFilter.isPresent()) {
            return Optional.of(preFilter.get().status());
        }
        return rejections.stream()
                .filter(rejection -> rejection.nodes().contains(node))
                .map(Rejection::status)
                .findFirst();
    }

    /** The same, and what PostFilter plugins have to say, and who would object if others went. */
    public Diagnosis withPostFilter(String message, Set<String> objecting) {
        Set<String> inTheWay = new TreeSet<>(alsoInTheWay);
        inTheWay.addAll(objecting);
        return new Diagnosis(nodeCount, preFilter, rejections, inTheWay, excluded, narrowedBy, message);
    }

    /** The same, with something more to say of it. */
    public Diagnosis withRemark(String remark) {
        String message = postFilterMessage.isEmpty() ? remark : postFilterMessage + ' ' + remark;
        return withPostFilter(message, Set.of());
    }

    /** The reference's FitError, word for word; then the remarks. */
    @Override
    public String message() {
        if (nodeCount == 0) {
            return FitError.NO_NODES;
        }
        String ofFilters = preFilter
                .map(rejection ->
                        FitError.begin(nodeCount) + ' ' + rejection.status().message() + '.')
                .orElseGet(() -> FitError.message(nodeCount, countsByReason()));
        return postFilterMessage.isEmpty() ? ofFilters : ofFilters + ' ' + postFilterMessage;
    }

    /**
     * Nodes that one plugin turned away for the same reasons.
     *
     * @param nodes to be read only
     */
    public record Rejection(String plugin, Status status, NodeSetView nodes) {}

    /** The reference's words for a pod that fits nowhere. */
    public static final class FitError {
        public static final String NO_NODES = "no nodes available to schedule pods";

        private FitError() {}

        /** How it begins, whatever the reasons. */
        public static String begin(int nodes) {
            return "0/" + nodes + " nodes are available:";
        }

        /** How many nodes have which reason, sorted as text, numbers included. */
        public static String message(int nodes, SortedMap<String, Integer> countsByReason) {
            List<String> counted = countsByReason.entrySet().stream()
                    .map(reason -> reason.getValue() + " " + reason.getKey())
                    .sorted()
                    .toList();
            return counted.isEmpty() ? begin(nodes) : begin(nodes) + ' ' + String.join(", ", counted) + '.';
        }
    }
}
