package io.evenkeel.tools.simulate;

import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import java.util.Optional;

/** Which workload pods belong to: what their ReplicaSet is owned by, else what they are owned by themselves. */
record Owners(ClusterPicture picture) {
    private static final String NODE = "Node";

    /** A pod that nothing owns is its own. */
    Workload workloadOf(Pod pod) {
        String namespace = pod.namespace();
        Optional<OwnerReference> owner = pod.meta().controller();
        if (owner.isEmpty()) {
            return new Workload(Workload.POD, namespace, pod.name());
        }
        Optional<OwnerReference> above = owner.get().kind().equals(Workload.REPLICA_SET)
                ? picture.find(
                                Workload.REPLICA_SET,
                                namespace + "/" + owner.get().name())
                        .flatMap(set -> set.meta().controller())
                : Optional.empty();
        OwnerReference root = above.orElse(owner.get());
        return new Workload(root.kind(), namespace, root.name());
    }

    /** Whether something makes another pod when this one is gone. */
    static boolean isMadeAgain(Pod pod) {
        return pod.meta().controller().isPresent() && !isOfItsNode(pod);
    }

    /** Whether the pod belongs to its node: a DaemonSet's pod, or one that the API server has as a mirror only. */
    static boolean isOfItsNode(Pod pod) {
        return pod.meta()
                .controller()
                .filter(owner ->
                        owner.kind().equals(Workload.DAEMON_SET) || owner.kind().equals(NODE))
                .isPresent();
    }
}
