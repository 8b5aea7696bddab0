package io.evenkeel.model;

/**
 * The controller that owns an object, as {@code metadata.ownerReferences} names it.
 *
 * @since 0.1
 */
public record OwnerReference(String apiVersion, String kind, String name, String uid) {

    /** Of all its texts. */
    public int length() {
        return apiVersion.length() + kind.length() + name.length() + uid.length();
    }
}
