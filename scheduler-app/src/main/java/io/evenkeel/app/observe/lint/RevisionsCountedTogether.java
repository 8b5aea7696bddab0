package io.evenkeel.app.observe.lint;

import java.util.stream.Stream;

/** A Deployment's hard constraint counts the pods of the old revision with those of the new one while it is rolled out. */
final class RevisionsCountedTogether implements Lint {
    private static final String TEMPLATE = "pod-template-hash";

    @Override
    public String name() {
        return "revisions-counted-together";
    }

    @Override
    public Stream<Finding> check(Linted workload) {
        if (!workload.replicas().workload().kind().equals("Deployment") || workload.wanted() <= 1) {
            return Stream.empty();
        }
        return workload.growing().stream()
                .filter(constraint -> !constraint.isDefault()
                        && !constraint.constraint().labelSelector().keys().contains(TEMPLATE))
                .map(constraint -> Linted.finding(
                        this,
                        constraint,
                        "during a rollout it counts the pods of both revisions, so the new ones are spread less evenly once the"
                                + " old ones are gone, and may have to wait for them",
                        "add matchLabelKeys: [" + TEMPLATE + "]"));
    }
}
