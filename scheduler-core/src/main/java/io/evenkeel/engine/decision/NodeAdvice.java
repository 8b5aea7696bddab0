package io.evenkeel.engine.decision;

import java.util.Set;

/**
 * The answer of extenders about the nodes that they were asked about.
 *
 * @param done the names of nodes about which nothing more is asked; none where it was the nominated one alone
 * @param mayAskAgain where not, the pod fits nowhere if none of these is left
 */
public record NodeAdvice(Set<String> done, ExtenderAdvice advice, boolean mayAskAgain) {
    public NodeAdvice {
        done = Set.copyOf(done);
    }
}
