package io.evenkeel.model;

import java.util.Set;

/** A taint of a node. */
public record Taint(String key, String value, TaintEffect effect) {
    private static final String OF_CONDITIONS = "node.kubernetes.io/";

    /** By which cordons, autoscalers and operators tell that a node is about to be emptied. */
    private static final Set<String> OF_LEAVING_NODES = Set.of(
            "node.kubernetes.io/unschedulable",
            "node.kubernetes.io/out-of-service",
            "ToBeDeletedByClusterAutoscaler",
            "karpenter.sh/disrupted");

    /** Whether it is one of those that Kubernetes gives a node that is cordoned or not well. */
    public boolean isOfCondition() {
        return key.startsWith(OF_CONDITIONS);
    }

    /** Whether it says that all pods of the node are to go. */
    public boolean isOfLeavingNodes() {
        return OF_LEAVING_NODES.contains(key);
    }
}
