package io.evenkeel.model;

/**
 * The controller that owns an object, as {@code metadata.ownerReferences} names it.
 *
 * @since 0.1
 */
public record OwnerReference(String apiVersion, String kind, String name, String uid) {

    /** Whether its pods belong to their nodes: those of a DaemonSet, and those that the API server has as mirrors only. */
    public boolean keepsPodsOnNodes() {
        return kind.equals("DaemonSet") || kind.equals("Node");
    }

    /** Of all its texts. */
    public int length() {
        return apiVersion.length() + kind.length() + name.length() + uid.length();
    }
}
