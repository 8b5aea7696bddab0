package io.evenkeel.plugins.podtopologyspread;

import java.util.List;

/**
 * The constraints of pods of one shape, bound to the counts that they read.
 *
 * @param allLabelsNeeded whether only nodes that have all labels of the soft constraints are scored
 */
record CompiledConstraints(List<HardConstraint> hard, List<SoftConstraint> soft, boolean allLabelsNeeded) {
    static final CompiledConstraints NONE = new CompiledConstraints(List.of(), List.of(), false);
}
