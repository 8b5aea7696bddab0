package io.evenkeel.engine.decision;

import io.evenkeel.api.CycleState;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.framework.run.FilterRunner;
import io.evenkeel.framework.run.FilterRunner.CrowdedFilters;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.queue.NominatedPods;
import java.util.List;
import java.util.Optional;

/**
 * Leaves room for nominated pods: a node to which pods of the same or a higher priority are nominated must suit a pod twice,
 * beside them and, as they are not there yet, without them. What is in its way beside them is said first.
 */
final class Nominations {
    private final ClusterState cluster;
    private final NodeTable nodes;
    private final FilterRunner filters;
    private final NominatedPods nominated;
    private boolean crowdedOut;

    /** @param filters of the pods' profile, used by trials alone */
    Nominations(ClusterState cluster, FilterRunner filters, NominatedPods nominated) {
        this.cluster = cluster;
        this.nodes = cluster.view().nodes();
        this.filters = filters;
        this.nominated = nominated;
    }

    /**
     * Turns the nodes away that suit the pod only without them. Where none is left, nodes that it did not fit on anyway are
     * asked again, for what its user gets to read.
     */
    void leaveRoom(PodInfo pod, FilterRunner filtered, NodeSet feasible) {
        crowdedOut = false;
        if (nominated.nodes().isEmpty() || filtered.isTurnedAwayAsAWhole()) {
            return;
        }
        turnAway(pod, filtered, feasible, true);
        if (feasible.isEmpty()) {
            turnAway(pod, filtered, feasible, false);
        }
    }

    private void turnAway(PodInfo pod, FilterRunner filtered, NodeSet feasible, boolean isFeasible) {
        Optional<CrowdedFilters> crowded = filters.crowded(pod);
        for (String name : nominated.nodes()) {
            int node = nodes.findPresent(name);
            if (node >= 0 && feasible.contains(node) == isFeasible && !filtered.isExcluded(node)) {
                objection(pod, node, crowded).ifPresent(found -> {
                    filtered.turnAway(node, found);
                    crowdedOut |= isFeasible;
                });
            }
        }
    }

    /**
     * Whether the last pod that room was left by would have had a place without that. What keeps it from there is not what
     * plugins see, to whom nominated pods are nowhere.
     */
    boolean crowdedOut() {
        return crowdedOut;
    }

    /** The nodes to which others are nominated whom this pod has to leave room. */
    NodeSetView awaited(PodInfo pod) {
        if (nominated.nodes().isEmpty()) {
            return NodeSetView.NONE;
        }
        NodeSet awaited = new NodeSet();
        for (String name : nominated.nodes()) {
            int node = nodes.findPresent(name);
            if (node >= 0 && !nominated.aheadOf(pod.pod(), name).isEmpty()) {
                awaited.add(node);
            }
        }
        return awaited;
    }

    /** Takes those out of the nodes that suit the pod only without them. */
    void removeCrowded(NodeSet suiting, PodInfo pod) {
        for (String name : nominated.nodes()) {
            int node = nodes.find(name);
            if (node >= 0 && suiting.contains(node) && objection(pod, node).isPresent()) {
                suiting.remove(node);
            }
        }
    }

    /** Returns the pods nominated to the node for which the pod has to leave room. */
    List<PodInfo> aheadOf(PodInfo pod, int node) {
        return nominated.aheadOf(pod.pod(), nodes.name(node));
    }

    /**
     * Whether the pod fits on the node beside those who are nominated to it.
     *
     * @param exactly whether that may take long; else the answer is no where it would
     */
    boolean fitsBeside(PodInfo pod, int node, boolean exactly) {
        return filters.crowded(pod)
                .filter(crowded -> crowded.begin(node, aheadOf(pod, node)))
                .map(crowded -> crowded.objection().isEmpty())
                .orElseGet(() -> exactly && objection(pod, node).isEmpty());
    }

    /** Returns the objection to the pod on the node beside the pods that are nominated to it. */
    Optional<Objection> objection(PodInfo pod, int node) {
        return objection(pod, node, Optional.empty());
    }

    /** @param crowded to be asked first, as that costs less */
    private Optional<Objection> objection(PodInfo pod, int node, Optional<CrowdedFilters> crowded) {
        List<PodInfo> others = aheadOf(pod, node);
        if (others.isEmpty()) {
            return Optional.empty();
        }
        if (crowded.isPresent() && crowded.get().begin(node, others)) {
            return crowded.get().objection();
        }
        try (WhatIf beside = cluster.whatIf()) {
            others.forEach(other -> beside.place(other.pod(), node));
            return filters.objectionOn(node, new CycleState(), pod);
        }
    }
}
