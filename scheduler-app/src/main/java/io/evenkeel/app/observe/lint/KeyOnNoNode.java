package io.evenkeel.app.observe.lint;

import io.evenkeel.app.observe.spread.WatchedConstraint;
import java.util.stream.Stream;

/** No node has the topology key. */
final class KeyOnNoNode implements Lint {
    @Override
    public String name() {
        return "key-on-no-node";
    }

    @Override
    public Stream<Finding> check(Linted workload) {
        return workload.constraints().stream()
                .filter(constraint -> workload.cluster().nodes().count() > 0)
                .filter(constraint -> !constraint.counter().topology().key().absentIsEmpty())
                .filter(constraint -> constraint.counter().topology().nodeCount() == 0)
                .map(constraint -> Linted.finding(this, constraint, wrong(constraint), remedy(constraint)));
    }

    private static String wrong(WatchedConstraint constraint) {
        return "no node has the label " + constraint.constraint().topologyKey()
                + (constraint.constraint().isHard()
                        ? ", so its pods fit on none"
                        : ", so the constraint has no effect");
    }

    private static String remedy(WatchedConstraint constraint) {
        return "label the nodes, or name a key that they have"
                + (constraint.isDefault() ? " in the profile's defaultConstraints" : "");
    }
}
