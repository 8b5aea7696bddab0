package io.evenkeel.app.observe.lint;

import io.evenkeel.app.observe.spread.Replicas;
import io.evenkeel.app.observe.spread.WatchedConstraint;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * A domain that the pods cannot enter, as they do not tolerate the taints of any of its nodes, counts as the emptiest one. Where it
 * has f pods, each of the others may have f + maxSkew; said only where that is too little for those that are wanted and not in such a
 * domain already.
 */
final class TaintedDomainCounts implements Lint {
    private static final int MOST_NAMED = 3;

    @Override
    public String name() {
        return "tainted-domain-counts";
    }

    @Override
    public Stream<Finding> check(Linted workload) {
        return workload.growing().stream()
                .filter(constraint -> constraint.constraint().nodeTaintsPolicy() == NodeInclusionPolicy.IGNORE
                        && !Linted.lacksDomains(constraint))
                .flatMap(constraint -> check(workload, constraint));
    }

    private Stream<Finding> check(Linted workload, WatchedConstraint constraint) {
        DomainCounter counter = constraint.counter();
        BitSet open = open(workload, constraint);
        if (open.isEmpty()) {
            return Stream.empty();
        }
        int fewest = Integer.MAX_VALUE;
        int inClosed = 0;
        List<String> closed = new ArrayList<>();
        for (int domain = 0; domain < counter.topology().end(); domain++) {
            if (counter.isCounted(domain) && !open.get(domain)) {
                fewest = Math.min(fewest, counter.sumOf(domain));
                inClosed += counter.sumOf(domain);
                closed.add(counter.topology().value(domain));
            }
        }
        long room =
                open.cardinality() * ((long) fewest + constraint.constraint().maxSkew());
        if (closed.isEmpty() || room >= workload.wanted() - inClosed) {
            return Stream.empty();
        }
        return Stream.of(Linted.finding(
                this,
                constraint,
                some(closed)
                        + " cannot be entered, as its pods do not tolerate the taints there, and counts as a domain with "
                        + fewest + ": the others take " + room + " of " + workload.wanted() + " pods",
                "set nodeTaintsPolicy: Honor, which counts no node that is closed to the pods, or add a toleration"));
    }

    /** The domains with a node that the pods may go to, taints permitting. */
    private static BitSet open(Linted workload, WatchedConstraint constraint) {
        Replicas replicas = workload.replicas();
        DomainCounter counter = constraint.counter();
        NodeSetView nodes = counter.eligibility().nodes();
        BitSet open = new BitSet();
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            int domain = counter.topology().domainOf(node);
            if (!open.get(domain)
                    && replicas.key()
                            .tolerations()
                            .admitTo(workload.cluster().nodes().node(node))) {
                open.set(domain);
            }
        }
        return open;
    }

    private static String some(List<String> domains) {
        List<String> named = domains.stream().sorted().limit(MOST_NAMED).toList();
        int more = domains.size() - named.size();
        return (domains.size() == 1 ? "domain " : "each of ")
                + String.join(", ", named)
                + (more > 0 ? " and " + more + " more" : "");
    }
}
