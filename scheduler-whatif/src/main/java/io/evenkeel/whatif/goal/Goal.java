package io.evenkeel.whatif.goal;

import io.evenkeel.model.Pod;
import java.util.List;
import java.util.Set;

/** What moves of running pods are to reach. */
public sealed interface Goal {

    /** The hard constraints of all pods hold. */
    record Constraints() implements Goal {}

    /** So do their soft spread constraints, those that the configuration gives to pods without any among them. */
    record Spread() implements Goal {}

    /** No pod is against a policy. */
    record Policies() implements Goal {}

    /**
     * Nodes have no pods but those that belong to their node.
     *
     * @param nodes their names; empty for as many as possible
     */
    record EmptyNodes(Set<String> nodes) implements Goal {
        public EmptyNodes {
            nodes = Set.copyOf(nodes);
        }
    }

    /** Pods that wait find nodes, all of them, and nobody is preempted. */
    record Place(List<Pod> pods) implements Goal {
        public Place {
            pods = List.copyOf(pods);
        }
    }

    /** As few nodes as possible have devices in use, so that those of the others are free as a whole. Only pods with devices move. */
    record Devices() implements Goal {}
}
