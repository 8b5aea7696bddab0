package io.evenkeel.api;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import java.util.Optional;

/**
 * A plugin's own counts, kept up to date with every change of the cluster so that no pod has to count them: who holds a
 * licence, how much a tenant has in place. {@link Cluster#ledger} makes it and fills it.
 *
 * <p>Hypothetical changes are told like all others, and so is their taking back. So whatever a ledger keeps must follow from
 * what is there now, not from how it came about. An exception from here ends the process, as the counts are not to be
 * trusted afterwards.
 *
 * @since 0.1
 */
public interface Ledger {

    /** A pod counts on a node from now on. */
    default void podPlaced(Pod pod, String node) {}

    /** A pod counts on its node no longer. */
    default void podRemoved(Pod pod, String node) {}

    /** News of an object came that is no pod: of a node, or of a kind that is watched. At least one of both is there. */
    default void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {}

    /** All that is kept, such as a map: equal to that of a ledger that is filled with what is there now. */
    Object counts();
}
