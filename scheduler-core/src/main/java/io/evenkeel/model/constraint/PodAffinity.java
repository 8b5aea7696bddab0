package io.evenkeel.model.constraint;

import java.util.List;

/** The pods that a pod must or would like to run near to or away from: {@code podAffinity} and {@code podAntiAffinity}. */
public record PodAffinity(
        List<PodAffinityTerm> requiredAffinity,
        List<WeightedPodAffinityTerm> preferredAffinity,
        List<PodAffinityTerm> requiredAntiAffinity,
        List<WeightedPodAffinityTerm> preferredAntiAffinity) {
    public static final PodAffinity NONE = new PodAffinity(List.of(), List.of(), List.of(), List.of());

    public boolean isNone() {
        return requiredAffinity.isEmpty()
                && preferredAffinity.isEmpty()
                && requiredAntiAffinity.isEmpty()
                && preferredAntiAffinity.isEmpty();
    }
}
