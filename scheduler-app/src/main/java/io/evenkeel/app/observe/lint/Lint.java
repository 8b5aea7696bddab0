package io.evenkeel.app.observe.lint;

import java.util.List;
import java.util.stream.Stream;

/** Looks for one kind of mistake. Reads the workload and the cluster, and nothing else; where it is not sure it says nothing. */
public sealed interface Lint
        permits KeyOnNoNode,
                SelectorMissesOwnPods,
                TaintedDomainCounts,
                RevisionsCountedTogether,
                DomainsMissing,
                PairCannotHold {
    List<Lint> ALL = List.of(
            new KeyOnNoNode(),
            new SelectorMissesOwnPods(),
            new TaintedDomainCounts(),
            new RevisionsCountedTogether(),
            new DomainsMissing(),
            new PairCannotHold());

    /** Its name in metrics and reports. */
    String name();

    Stream<Finding> check(Linted workload);

    /** What all of them have to say. */
    static Stream<Finding> all(Linted workload) {
        return ALL.stream().flatMap(lint -> lint.check(workload));
    }
}
