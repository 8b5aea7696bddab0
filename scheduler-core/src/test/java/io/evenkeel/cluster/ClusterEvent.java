package io.evenkeel.cluster;

import io.evenkeel.cluster.counting.NodeEligibility;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.Labels;
import java.util.List;

/**
 * Something that happens to a cluster, as data: a list of events can be run again, and shortened. An event that makes no
 * sense where it stands (an assumption on a node that is not there) does nothing, so that any part of a list is a list.
 */
sealed interface ClusterEvent {
    record Put(KubernetesObject object) implements ClusterEvent {}

    record Remove(KubernetesObject object) implements ClusterEvent {}

    /** An update of a node that is there, in one respect, in which it becomes like another. */
    record Change(Respect respect, Node like) implements ClusterEvent {
        enum Respect {
            LABELS,
            SCHEDULABILITY,
            TAINTS,
            ALLOCATABLE,
            IMAGES
        }

        Node of(Node node) {
            return new Node(
                    respect == Respect.LABELS ? node.meta().withLabels(like.labels()) : node.meta(),
                    respect == Respect.SCHEDULABILITY ? like.unschedulable() : node.unschedulable(),
                    respect == Respect.TAINTS ? like.taints() : node.taints(),
                    respect == Respect.ALLOCATABLE ? like.allocatable() : node.allocatable(),
                    respect == Respect.IMAGES ? like.images() : node.images(),
                    node.declaredFeatures());
        }
    }

    record Assume(Pod pod, String node) implements ClusterEvent {}

    /** The word of the binding of a pod that was assumed, or of another scheduler's that put it elsewhere. */
    record Confirm(String podKey, boolean whereAssumed, String elsewhere) implements ClusterEvent {}

    record Admit(int slot, Pod pod) implements ClusterEvent {}

    record AcquireGroup(int slot, SelectorGroup.Key key) implements ClusterEvent {}

    record AcquireCounter(
            int slot, int groupSlot, Topology.Key topology, NodeEligibility.Key eligibility, boolean minimumWanted)
            implements ClusterEvent {
        AcquireCounter into(int anotherSlot) {
            return new AcquireCounter(anotherSlot, groupSlot, topology, eligibility, minimumWanted);
        }
    }

    record AcquireTopology(int slot, Topology.Key key) implements ClusterEvent {}

    record Derive(int slot, int kind) implements ClusterEvent {}

    /** Gives back whatever is held in the slot. */
    record Release(int slot) implements ClusterEvent {}

    record DropIdle() implements ClusterEvent {}

    /** Which carried terms match a newcomer; whom default spreading compares a pod with. */
    record Ask(String namespace, Labels labels, Pod pod) implements ClusterEvent {}

    /** Events between which nobody looks. */
    record Burst(List<ClusterEvent> events) implements ClusterEvent {}

    /** Supposed changes, taken back at the end. */
    record Suppose(List<ClusterEvent> events) implements ClusterEvent {}
}
