package io.evenkeel.whatif.rebalance;

import io.evenkeel.model.Pod;
import java.util.List;
import java.util.Optional;

/**
 * A running pod whose hard constraints do not hold where it is.
 *
 * @param plugins those that would not let it onto its node now
 * @param keptBy why it cannot be moved, if so
 */
public record Violation(Pod pod, String node, List<String> plugins, Optional<String> keptBy) {
    public Violation {
        plugins = List.copyOf(plugins);
    }
}
