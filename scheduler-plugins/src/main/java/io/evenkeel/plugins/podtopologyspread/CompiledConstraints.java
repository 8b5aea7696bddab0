package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.cluster.NodeEligibility;
import java.util.List;
import java.util.Optional;

/**
 * The constraints of pods of one shape, bound to the counts that they read.
 *
 * @param scoredNodes the nodes that have all labels of the soft constraints, which are scored while others get nothing;
 *     empty where nodes without are scored too
 */
record CompiledConstraints(
        List<HardConstraint> hard, List<SoftConstraint> soft, Optional<NodeEligibility> scoredNodes) {
    static final CompiledConstraints NONE = new CompiledConstraints(List.of(), List.of(), Optional.empty());
}
