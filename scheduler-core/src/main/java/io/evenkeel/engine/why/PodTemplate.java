package io.evenkeel.engine.why;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.workload.Templates;
import java.util.Optional;

/**
 * Where the pods of a workload are described. A pod that is there can hardly be changed; who changes this gets others.
 *
 * @param owner as {@code Deployment shop/web}
 */
record PodTemplate(String owner) {
    private static final String DEPLOYMENT = "Deployment";

    /** Returns the template of the controller of a pod; empty where the pod has no owner. */
    static Optional<PodTemplate> of(Pod pod, ClusterView cluster) {
        return pod.meta().controller().map(controller -> new PodTemplate(workload(pod, controller, cluster)));
    }

    /** A ReplicaSet is a Deployment's where it says so, or, while it is not known, where its name is made as a Deployment makes it. */
    private static String workload(Pod pod, OwnerReference controller, ClusterView cluster) {
        if (WorkloadOwner.Kind.REPLICA_SET.isReferredToBy(controller)) {
            Optional<WorkloadOwner> set = cluster.objects()
                    .find(WorkloadOwner.Kind.REPLICA_SET.kindName(), pod.namespace() + "/" + controller.name())
                    .map(WorkloadOwner.class::cast);
            if (set.isPresent()) {
                OwnerReference above = set.get().meta().controller().orElse(controller);
                return written(above.kind(), pod, above.name());
            }
            String ending = "-" + pod.labels().getOrDefault(Templates.HASH, "");
            int length = controller.name().length() - ending.length();
            if (ending.length() > 1 && length > 0 && controller.name().endsWith(ending)) {
                return written(DEPLOYMENT, pod, controller.name().substring(0, length));
            }
        }
        return written(controller.kind(), pod, controller.name());
    }

    private static String written(String kind, Pod pod, String name) {
        return kind + " " + pod.namespace() + "/" + name;
    }
}
