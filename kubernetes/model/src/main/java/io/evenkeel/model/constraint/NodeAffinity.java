package io.evenkeel.model.constraint;

import java.util.List;
import java.util.Optional;

/** The nodes that a pod must and would like to run on. */
public record NodeAffinity(Optional<NodeSelector> required, List<PreferredSchedulingTerm> preferred) {
    public static final NodeAffinity NONE = new NodeAffinity(Optional.empty(), List.of());

    /** A node selector term that is worth {@code weight} where it matches. */
    public record PreferredSchedulingTerm(int weight, NodeSelectorTerm preference) {}
}
