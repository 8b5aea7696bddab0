package io.evenkeel.engine.decision;

import io.evenkeel.model.Node;
import java.util.List;

/** The choice that a profile's filters leave to extenders. */
public sealed interface Candidates {

    /** The pod fits nowhere, whatever extenders say. */
    record None(Decision.Unschedulable decision) implements Candidates {}

    /**
     * Nodes on which the pod may go, at least one.
     *
     * @param isNominated whether it is the node that the pod was nominated to, which is tried alone first
     */
    record Some(List<Node> nodes, boolean isNominated) implements Candidates {}
}
