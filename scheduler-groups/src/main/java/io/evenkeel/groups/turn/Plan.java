package io.evenkeel.groups.turn;

import io.evenkeel.engine.decision.Likeness;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Optional;

/**
 * An order of nodes for the pods of a group: the next pod goes to the next node, whichever of those that are alike it is. So it
 * holds for pods that have yet to come, and nothing of a single pod is kept.
 *
 * <pre>
 *   eight replicas over racks and rows      node-1a node-2c node-3b …
 *   web-x7 comes, then web-k2               node-1a, then node-2c
 * </pre>
 */
final class Plan {
    /** A node for a pod that looks like this to filters. */
    public record Step(Likeness likeness, String node) {}

    private final Deque<Step> steps;
    private final Optional<String> shortfall;
    private final int length;

    /** @param shortfall why there is no step for some; empty where there is one for each */
    public Plan(Collection<Step> steps, Optional<String> shortfall) {
        this.steps = new ArrayDeque<>(steps);
        this.shortfall = shortfall;
        this.length = steps.size();
    }

    public Optional<Step> next() {
        return Optional.ofNullable(steps.peek());
    }

    /** Whether some step is for a pod like this. */
    public boolean hasStepFor(Likeness likeness) {
        return steps.stream().anyMatch(step -> step.likeness().equals(likeness));
    }

    /** The next step was taken. */
    public void advance() {
        steps.remove();
    }

    public boolean isOver() {
        return steps.isEmpty();
    }

    /** How many steps were taken. */
    public int taken() {
        return length - steps.size();
    }

    public int left() {
        return steps.size();
    }

    /** Why there is no step for some. */
    public Optional<String> shortfall() {
        return shortfall;
    }
}
