package io.evenkeel.model.storage;

/**
 * The claim that a volume is for.
 *
 * @param uid empty where a user has reserved the volume for whichever claim has the name
 */
public record ClaimReference(String namespace, String name, String uid) {

    /** Whether this claim is meant. */
    public boolean means(PersistentVolumeClaim claim) {
        return name.equals(claim.meta().name())
                && namespace.equals(claim.meta().namespace())
                && (uid.isEmpty() || uid.equals(claim.meta().uid()));
    }
}
