package io.evenkeel.framework.why;

import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import java.util.ArrayList;
import java.util.List;

/**
 * A required term of the pod's affinity or anti-affinity gone.
 *
 * @param index its place among those terms
 */
public record PodTermDropped(boolean anti, int index, String topologyKey) implements PodChange {
    @Override
    public Kind kind() {
        return Kind.POD_AFFINITY;
    }

    @Override
    public String text() {
        return "required pod " + (anti ? "anti-affinity" : "affinity") + " over " + topologyKey + " dropped";
    }

    @Override
    public Pod applied(Pod pod) {
        PodAffinity before = pod.spec().podAffinity();
        return PodBuilder.from(pod)
                .podAffinity(new PodAffinity(
                        anti ? before.requiredAffinity() : without(before.requiredAffinity()),
                        before.preferredAffinity(),
                        anti ? without(before.requiredAntiAffinity()) : before.requiredAntiAffinity(),
                        before.preferredAntiAffinity()))
                .build();
    }

    private List<PodAffinityTerm> without(List<PodAffinityTerm> terms) {
        List<PodAffinityTerm> rest = new ArrayList<>(terms);
        rest.remove(index);
        return List.copyOf(rest);
    }

    @Override
    public List<PatchOperation> patch(Pod before) {
        return List.of(PatchOperation.remove("/spec/affinity/" + (anti ? "podAntiAffinity" : "podAffinity")
                + "/requiredDuringSchedulingIgnoredDuringExecution/" + index));
    }
}
