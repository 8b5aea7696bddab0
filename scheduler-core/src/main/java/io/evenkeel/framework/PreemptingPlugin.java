package io.evenkeel.framework;

import io.evenkeel.api.PostFilterPlugin;
import io.evenkeel.model.Pod;
import java.util.BitSet;
import java.util.Comparator;

/** A PostFilter plugin that lets less important pods go, and by whose order they go for a gang too. */
public interface PreemptingPlugin extends PostFilterPlugin {

    /** Whom it would let go rather than whom. */
    VictimOrder victimOrder();

    @Override
    default boolean onlyPreempts() {
        return true;
    }

    /**
     * Who of the less important pods shall rather stay, as a plugin knows it that lets pods go for others. By it pods go for a gang,
     * about which is decided beside the cycles of single pods.
     */
    interface VictimOrder {

        /** The pod that shall rather stay comes first; pods that are all the same to the plugin are equal. */
        Comparator<Pod> mostImportantFirst();

        /** Whether the pod goes anyway, as far as its object tells: one that was only told so may stay for good. */
        boolean isLeaving(Pod pod);

        /**
         * Whom a PodDisruptionBudget protects from going with the others: their places among these.
         *
         * @param rows pods in place, if all of them went, in this order
         */
        BitSet violating(int[] rows);
    }
}
