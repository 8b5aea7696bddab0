package io.evenkeel.model.constraint;

/** A node selector term that is worth {@code weight} where it matches. */
public record PreferredSchedulingTerm(int weight, NodeSelectorTerm preference) {}
