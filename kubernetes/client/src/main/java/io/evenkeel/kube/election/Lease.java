package io.evenkeel.kube.election;

/**
 * A Lease as the server has it.
 *
 * @param holder empty where no replica holds it
 * @param durationSeconds how long it holds without being renewed
 * @param acquireTime when its holder took it, as the API writes it
 * @param json all of it, with what is not known here
 */
record Lease(
        String holder,
        int durationSeconds,
        String acquireTime,
        String renewTime,
        int transitions,
        String uid,
        String resourceVersion,
        String json) {

    /** Whether the other is the same version of it. */
    boolean isSameAs(Lease other) {
        return uid.equals(other.uid)
                && holder.equals(other.holder)
                && renewTime.equals(other.renewTime)
                && acquireTime.equals(other.acquireTime)
                && transitions == other.transitions
                && durationSeconds == other.durationSeconds;
    }
}
