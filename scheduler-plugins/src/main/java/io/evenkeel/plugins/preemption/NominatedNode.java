package io.evenkeel.plugins.preemption;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.LesserPods;
import io.evenkeel.framework.cycle.Trial;
import io.evenkeel.model.Pod;

/** The node that a waiting pod is nominated to. */
final class NominatedNode {
    private final ClusterView cluster;

    NominatedNode(ClusterView cluster) {
        this.cluster = cluster;
    }

    /** Whether pods are going from it already, so that no others need to go from anywhere. */
    boolean isBeingCleared(Pod pod, Diagnosis diagnosis, Trial trial) {
        int node = cluster.nodes().find(pod.status().nominatedNodeName());
        return node >= 0 && mayStillFit(node, diagnosis) && isBeingCleared(node, pod, trial);
    }

    /** Where no eviction lets the pod run on its nominated node any more, it must look for another. */
    private static boolean mayStillFit(int node, Diagnosis diagnosis) {
        return diagnosis
                .statusAgainst(node)
                .filter(status -> status.code() != Status.Code.UNSCHEDULABLE_AND_UNRESOLVABLE)
                .isPresent();
    }

    /**
     * Whether a pod that was preempted is still on its way out: for whomever, as the pod has to leave those room who are
     * nominated to the node with it.
     */
    private boolean isBeingCleared(int node, Pod preemptor, Trial trial) {
        PodTable pods = cluster.pods();
        for (int row = pods.firstOnNode(node); row != PodTable.NONE; row = pods.nextOnNode(row)) {
            Pod pod = pods.pod(row);
            if (LesserPods.isLesser(pod, preemptor)
                    && (trial.isLeaving(pod)
                            || (pod.meta().terminating() && pod.status().isPreempted()))) {
                return true;
            }
        }
        return false;
    }
}
