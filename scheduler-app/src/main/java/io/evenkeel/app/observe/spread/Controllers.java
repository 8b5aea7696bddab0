package io.evenkeel.app.observe.spread;

import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.WorkloadOwner;
import java.util.Optional;
import java.util.Set;

/** The workloads of pods, by their controllers. */
final class Controllers {
    private static final String TEMPLATE = "pod-template-hash";

    /** A DaemonSet has a pod on each of its nodes, and a node the pods of its own files: neither is spread. */
    private static final Set<String> NOT_SPREAD = Set.of("DaemonSet", "Node");

    private final ObjectStore objects;

    Controllers(ObjectStore objects) {
        this.objects = objects;
    }

    /** Whether the pods of this controller are spread over nodes by a scheduler. */
    static boolean areSpread(OwnerReference controller) {
        return !NOT_SPREAD.contains(controller.kind());
    }

    /** A ReplicaSet is a Deployment's where it says so, or, while it is not known, where its name is made as a Deployment makes it. */
    Workload of(Pod pod, OwnerReference controller) {
        String name = controller.name();
        if (WorkloadOwner.Kind.REPLICA_SET.isReferredToBy(controller)) {
            Optional<WorkloadOwner> known = owner(pod.namespace(), controller);
            if (known.isPresent()) {
                OwnerReference above = known.get().meta().controller().orElse(controller);
                return new Workload(pod.namespace(), above.kind(), above.name());
            }
            String ending = "-" + pod.labels().getOrDefault(TEMPLATE, "");
            if (ending.length() > 1 && name.length() > ending.length() && name.endsWith(ending)) {
                return new Workload(pod.namespace(), "Deployment", name.substring(0, name.length() - ending.length()));
            }
        }
        return new Workload(pod.namespace(), controller.kind(), name);
    }

    /** The controller itself, of the kinds that are watched. */
    Optional<WorkloadOwner> owner(String namespace, OwnerReference controller) {
        for (WorkloadOwner.Kind kind : WorkloadOwner.Kind.values()) {
            if (kind.isReferredToBy(controller)) {
                return objects.find(kind.kindName(), namespace + "/" + controller.name())
                        .map(WorkloadOwner.class::cast);
            }
        }
        return Optional.empty();
    }
}
