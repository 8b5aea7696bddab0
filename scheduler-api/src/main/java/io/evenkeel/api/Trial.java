package io.evenkeel.api;

import io.evenkeel.model.Pod;
import java.util.Collection;
import java.util.List;

/**
 * Finds out what would let a pod fit that fits nowhere, on the cluster itself and without leaving a trace.
 *
 * @since 0.1
 */
public interface Trial {

    /** Begins hypothetical changes, taken back when closed, or at the latest when the trial is over. */
    Changes whatIf();

    /** The verdict of the profile's PreFilter and Filter plugins on one node, hypothetical changes included. */
    Status verdictOn(NodeInfo node);

    /** Whether the pod has been asked to go so that another may run, though the cluster does not show it yet. */
    default boolean isLeaving(Pod pod) {
        return false;
    }

    /** Returns the extenders' word on which pods go for the pod. A plugin that lets pods go keeps to it. */
    default VictimAdvice victimAdvice() {
        return VictimAdvice.NOT_NEEDED;
    }

    /** Returns the pods nominated to the node for which the pod has to leave room. */
    default Collection<? extends PendingPod> nominatedTo(NodeInfo node) {
        return List.of();
    }

    /** Hypothetical changes of the cluster. They nest: those begun last are closed first. */
    interface Changes extends AutoCloseable {

        /** Puts a pod on a node, moving it there if it is on another. */
        Changes place(Pod pod, NodeInfo node);

        /** Takes a pod off its node. */
        Changes remove(Pod pod);

        @Override
        void close();
    }
}
