package io.evenkeel.model;

/** A taint of a node. */
public record Taint(String key, String value, TaintEffect effect) {
    private static final String OF_CONDITIONS = "node.kubernetes.io/";

    /** Whether it is one of those that Kubernetes gives a node that is cordoned or not well. */
    public boolean isOfCondition() {
        return key.startsWith(OF_CONDITIONS);
    }
}
