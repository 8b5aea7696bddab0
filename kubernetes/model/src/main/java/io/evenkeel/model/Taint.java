package io.evenkeel.model;

import java.util.Set;

/**
 * A taint of a node.
 *
 * @since 0.1
 */
public record Taint(String key, String value, TaintEffect effect) {
    /** The one that the node controller gives a node with {@code spec.unschedulable}, and takes from one without. */
    public static final Taint CORDON = new Taint("node.kubernetes.io/unschedulable", "", TaintEffect.NO_SCHEDULE);

    private static final String OF_CONDITIONS = "node.kubernetes.io/";

    /** By which cordons, autoscalers and operators tell that a node is about to be emptied. */
    private static final Set<String> OF_LEAVING_NODES = Set.of(
            CORDON.key,
            "node.kubernetes.io/out-of-service",
            "ToBeDeletedByClusterAutoscaler",
            "karpenter.sh/disrupted");

    /** As kubectl writes it. */
    public String text() {
        return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect.apiName();
    }

    /** Whether Kubernetes gives it to a node that is cordoned or not well. */
    public boolean isOfCondition() {
        return key.startsWith(OF_CONDITIONS);
    }

    /** Whether it says that all pods of the node are to go. */
    public boolean isOfLeavingNodes() {
        return OF_LEAVING_NODES.contains(key);
    }

    /** Whether it goes when its node is uncordoned: a value of it does not count. */
    public boolean isOfCordon() {
        return key.equals(CORDON.key) && effect == CORDON.effect;
    }
}
