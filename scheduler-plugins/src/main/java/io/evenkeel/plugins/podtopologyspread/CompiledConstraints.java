package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.cluster.NodeEligibility;
import java.util.List;
import java.util.Optional;

/**
 * The constraints of pods of one shape, bound to the counts that they read, hard and soft apart.
 *
 * @param scoredNodes the nodes that the soft constraints score, others get nothing; empty for all
 */
record CompiledConstraints(
        List<SpreadConstraint> hard, List<SpreadConstraint> soft, Optional<NodeEligibility> scoredNodes) {
    static final CompiledConstraints NONE = new CompiledConstraints(List.of(), List.of(), Optional.empty());
}
