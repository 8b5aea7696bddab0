package io.evenkeel.world.life;

/**
 * A ReplicaSet, and what its pods are like.
 *
 * @param mode what the annotation of its pods says of how they are placed; empty where they have none
 */
record Owner(
        String name, String namespace, String uid, int sort, String mode, String schedulerName, boolean important) {

    Owner created(String newUid) {
        return new Owner(name, namespace, newUid, sort, mode, schedulerName, important);
    }

    /** One more of the same, as another revision of a Deployment is. */
    Owner next(String nextName) {
        return new Owner(nextName, namespace, "", sort, mode, schedulerName, important);
    }

    @Override
    public String toString() {
        return name + " (" + (important ? "important, " : "") + OwnedTemplates.app(sort)
                + (mode.isEmpty() ? "" : ", " + mode) + ", of " + schedulerName + ")";
    }
}
