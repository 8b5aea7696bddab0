package io.evenkeel.plugins.node;

import io.evenkeel.model.Container;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodSpec;
import java.util.List;
import java.util.function.Predicate;

/**
 * A feature that a node may declare, and the pods that need it to run. The reference knows more of them, but those
 * (GuaranteedQoSPodCPUResize, InPlacePodLevelResourcesVerticalScaling and the like) matter when a running pod is
 * changed, never when a pod is placed.
 */
record InferredFeature(String name, Predicate<PodSpec> neededBy) {
    static final List<InferredFeature> ALL = List.of(
            new InferredFeature("RestartAllContainersOnContainerExits", InferredFeature::restartsAllContainers),
            new InferredFeature("UserNamespacesHostNetworkSupport", spec -> spec.hostNetwork() && !spec.hostUsers()));

    boolean isNeededBy(Pod pod) {
        return neededBy.test(pod.spec());
    }

    private static boolean restartsAllContainers(PodSpec spec) {
        return anyRestartsAllContainers(spec.containers()) || anyRestartsAllContainers(spec.initContainers());
    }

    private static boolean anyRestartsAllContainers(List<Container> containers) {
        for (int i = 0; i < containers.size(); i++) {
            if (containers.get(i).restartsAllContainers()) {
                return true;
            }
        }
        return false;
    }
}
