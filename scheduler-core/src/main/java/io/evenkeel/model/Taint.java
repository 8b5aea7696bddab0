package io.evenkeel.model;

/** A taint of a node. */
public record Taint(String key, String value, TaintEffect effect) {
    /** The one that the node controller gives a node with {@code spec.unschedulable}, and takes from one without. */
    public static final Taint CORDON = new Taint("node.kubernetes.io/unschedulable", "", TaintEffect.NO_SCHEDULE);

    private static final String OF_CONDITIONS = "node.kubernetes.io/";

    /** Whether it is one of those that Kubernetes gives a node that is cordoned or not well. */
    public boolean isOfCondition() {
        return key.startsWith(OF_CONDITIONS);
    }

    /** Whether it goes when its node is uncordoned: a value of it does not count. */
    public boolean isOfCordon() {
        return key.equals(CORDON.key) && effect == CORDON.effect;
    }
}
