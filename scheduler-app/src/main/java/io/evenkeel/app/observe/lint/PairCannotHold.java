package io.evenkeel.app.observe.lint;

import io.evenkeel.app.observe.spread.WatchedConstraint;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A hard constraint over a topology and another over its nodes that contradict each other at this number of pods.
 *
 * <p>Pods that are placed one by one from the start end with n to n + maxSkew on each node for some n, and with d to d + maxSkew in
 * each domain for some d. A domain of k nodes then has k·n to k·(n + maxSkew). Said only where no n and d admit the number, for which
 * no resources need be looked at: they can only take more away. A number that has an end and no order is passed over.
 */
final class PairCannotHold implements Lint {
    private static final String NODE = "kubernetes.io/hostname";
    private static final long MOST_TRIED = 1_000_000;

    @Override
    public String name() {
        return "pair-cannot-hold";
    }

    @Override
    public Stream<Finding> check(Linted workload) {
        return workload.growing().stream()
                .filter(byNode -> byNode.constraint().topologyKey().equals(NODE))
                .flatMap(byNode -> workload.growing().stream()
                        .filter(outer -> !outer.constraint().topologyKey().equals(NODE))
                        .filter(outer -> canBeReckoned(workload, outer, byNode))
                        .flatMap(outer -> check(workload, outer, byNode)));
    }

    /** Both count the same nodes, each its own domain of the inner one, and no pods but these. */
    private static boolean canBeReckoned(Linted workload, WatchedConstraint outer, WatchedConstraint byNode) {
        NodeSetView nodes = byNode.counter().eligibility().nodes();
        return workload.wanted() > 0
                && nodes.equals(outer.counter().eligibility().nodes())
                && nodes.size() == byNode.counter().countedDomains()
                && !Linted.lacksDomains(outer)
                && !Linted.lacksDomains(byNode)
                && countsNoOthers(workload, outer)
                && countsNoOthers(workload, byNode);
    }

    private static boolean countsNoOthers(Linted workload, WatchedConstraint constraint) {
        return constraint.counter().total() <= workload.replicas().placed();
    }

    private Stream<Finding> check(Linted workload, WatchedConstraint outer, WatchedConstraint byNode) {
        Map<String, Integer> nodesByDomain = nodesByDomain(outer.counter());
        int[] sizes =
                nodesByDomain.values().stream().mapToInt(Integer::intValue).toArray();
        int skew = outer.constraint().maxSkew();
        int nodeSkew = byNode.constraint().maxSkew();
        if (sizes.length == 0 || admits(sizes, workload.wanted(), skew, nodeSkew)) {
            return Stream.empty();
        }
        return Stream.of(Linted.finding(
                this,
                outer,
                words(outer.constraint()) + " and " + words(byNode.constraint()) + " contradict each other for "
                        + workload.wanted() + " pods: nodes by domain are " + inWords(nodesByDomain),
                "make one of the two ScheduleAnyway or its maxSkew larger, even the nodes out, or choose another number of"
                        + " replicas"));
    }

    private static Map<String, Integer> nodesByDomain(DomainCounter counter) {
        Map<String, Integer> nodes = new TreeMap<>();
        NodeSetView counted = counter.eligibility().nodes();
        for (int node = counted.first(); node >= 0; node = counted.next(node + 1)) {
            nodes.merge(counter.topology().value(counter.topology().domainOf(node)), 1, Integer::sum);
        }
        return nodes;
    }

    /** Whether so many pods can be divided among domains of these sizes. True as well where that would take too long to say. */
    static boolean admits(int[] sizes, int pods, int skew, int nodeSkew) {
        int nodes = 0;
        for (int size : sizes) {
            nodes += size;
        }
        long tried = (1L + pods / sizes.length) * (1L + pods / nodes) * sizes.length;
        if (tried > MOST_TRIED) {
            return true;
        }
        for (int fewest = 0; fewest <= pods / sizes.length; fewest++) {
            for (int fewestOnNode = 0; fewestOnNode <= pods / nodes; fewestOnNode++) {
                if (admits(sizes, pods, fewest, (long) fewest + skew, fewestOnNode, (long) fewestOnNode + nodeSkew)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean admits(int[] sizes, int pods, long fewest, long most, long fewestOnNode, long mostOnNode) {
        long least = 0;
        long room = 0;
        for (int size : sizes) {
            long low = Math.max(fewest, size * fewestOnNode);
            long high = Math.min(most, size * mostOnNode);
            if (low > high) {
                return false;
            }
            least += low;
            room += high;
        }
        return least <= pods && pods <= room;
    }

    private static String words(TopologySpreadConstraint constraint) {
        return "maxSkew " + constraint.maxSkew() + " over " + constraint.topologyKey();
    }

    private static String inWords(Map<String, Integer> nodesByDomain) {
        StringBuilder words = new StringBuilder();
        nodesByDomain.forEach((domain, nodes) -> words.append(words.isEmpty() ? "" : " ")
                .append(domain)
                .append('=')
                .append(nodes));
        return words.toString();
    }
}
