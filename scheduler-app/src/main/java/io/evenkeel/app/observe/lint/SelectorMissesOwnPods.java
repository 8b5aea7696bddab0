package io.evenkeel.app.observe.lint;

import io.evenkeel.app.observe.spread.WatchedConstraint;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.SelectorText;
import java.util.stream.Stream;

/** The labelSelector does not match the pods that have it: placing them changes nothing of what is counted. */
final class SelectorMissesOwnPods implements Lint {
    @Override
    public String name() {
        return "selector-misses-own-pods";
    }

    @Override
    public Stream<Finding> check(Linted workload) {
        return workload.constraints().stream()
                .filter(constraint -> !constraint.isDefault() && !constraint.countsOwnPods())
                .map(constraint -> Linted.finding(
                        this,
                        constraint,
                        wrong(constraint),
                        "write a labelSelector that matches the pod template's own labels"));
    }

    private static String wrong(WatchedConstraint constraint) {
        LabelSelector selector = constraint.constraint().labelSelector();
        if (selector.matchesNothing()) {
            return "it has no labelSelector, so no pod is counted and its own are not spread";
        }
        return selector.matchesEverything()
                ? "its labelSelector is empty, for which the scheduler counts no pod"
                : "its labelSelector " + SelectorText.of(selector)
                        + " does not match its own pods, so they are not spread from each other";
    }
}
