package io.evenkeel.model.constraint;

/** An affinity term that is worth {@code weight} for each pod that matches it. */
public record WeightedPodAffinityTerm(int weight, PodAffinityTerm term) {}
