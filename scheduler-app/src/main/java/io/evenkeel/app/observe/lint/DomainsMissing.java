package io.evenkeel.app.observe.lint;

import io.evenkeel.app.observe.spread.WatchedConstraint;
import java.util.stream.Stream;

/** There are fewer domains than minDomains, so that each takes no more than maxSkew; said where that is too little. */
final class DomainsMissing implements Lint {
    @Override
    public String name() {
        return "domains-missing";
    }

    @Override
    public Stream<Finding> check(Linted workload) {
        return workload.growing().stream()
                .filter(Linted::lacksDomains)
                .filter(constraint -> Linted.hasDomains(constraint.counter()))
                .filter(constraint -> room(constraint) < workload.wanted())
                .map(constraint -> Linted.finding(this, constraint, wrong(workload, constraint), remedy(constraint)));
    }

    private static long room(WatchedConstraint constraint) {
        return (long) constraint.counter().countedDomains()
                * constraint.constraint().maxSkew();
    }

    private static String wrong(Linted workload, WatchedConstraint constraint) {
        return "minDomains is " + constraint.constraint().minDomains() + " and there are "
                + constraint.counter().countedDomains() + ", so each takes "
                + constraint.constraint().maxSkew() + " at most: " + room(constraint) + " of " + workload.wanted()
                + " pods";
    }

    private static String remedy(WatchedConstraint constraint) {
        return "add nodes in "
                + (constraint.constraint().minDomains() - constraint.counter().countedDomains())
                + " more of " + constraint.constraint().topologyKey() + ", or set minDomains: "
                + constraint.counter().countedDomains();
    }
}
