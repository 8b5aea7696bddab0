package io.evenkeel.framework.why;

import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.NodeAffinity;
import java.util.List;
import java.util.Optional;

/** The pod's required node affinity gone; what it prefers stays. */
public record NodeAffinityDropped() implements PodChange {
    @Override
    public Kind kind() {
        return Kind.NODE_AFFINITY;
    }

    @Override
    public String text() {
        return "required node affinity dropped";
    }

    @Override
    public Pod applied(Pod pod) {
        return PodBuilder.from(pod)
                .nodeAffinity(new NodeAffinity(
                        Optional.empty(), pod.spec().nodeAffinity().preferred()))
                .build();
    }

    @Override
    public List<PatchOperation> patch(Pod before) {
        return List.of(
                PatchOperation.remove("/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution"));
    }
}
