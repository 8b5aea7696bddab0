package io.evenkeel.model.constraint;

import io.evenkeel.model.value.LabelSelector;
import java.util.List;
import java.util.stream.Stream;

/** The pods that a pod must or would like to run near to or away from: {@code podAffinity} and {@code podAntiAffinity}. */
public record PodAffinity(
        List<PodAffinityTerm> requiredAffinity,
        List<WeightedPodAffinityTerm> preferredAffinity,
        List<PodAffinityTerm> requiredAntiAffinity,
        List<WeightedPodAffinityTerm> preferredAntiAffinity) {
    public static final PodAffinity NONE = new PodAffinity(List.of(), List.of(), List.of(), List.of());

    public int termCount() {
        return requiredAffinity.size()
                + preferredAffinity.size()
                + requiredAntiAffinity.size()
                + preferredAntiAffinity.size();
    }

    public List<LabelSelector> selectors() {
        return Stream.of(
                        requiredAffinity.stream(),
                        preferredAffinity.stream().map(WeightedPodAffinityTerm::term),
                        requiredAntiAffinity.stream(),
                        preferredAntiAffinity.stream().map(WeightedPodAffinityTerm::term))
                .flatMap(terms -> terms)
                .map(PodAffinityTerm::labelSelector)
                .toList();
    }

    public boolean isNone() {
        return requiredAffinity.isEmpty()
                && preferredAffinity.isEmpty()
                && requiredAntiAffinity.isEmpty()
                && preferredAntiAffinity.isEmpty();
    }

    /** An affinity term that is worth {@code weight} for each pod that matches it. */
    public record WeightedPodAffinityTerm(int weight, PodAffinityTerm term) {}
}
