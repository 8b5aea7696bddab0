package io.evenkeel.tools.observe;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.Skew;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.model.Node;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.SelectorText;
import io.evenkeel.model.workload.Templates;
import io.evenkeel.tools.observe.WatchedConstraint.SpreadName;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Looks for one kind of mistake. Reads the workload and the cluster, and nothing else; where it is not sure it says nothing.
 *
 * @param name in metrics and reports
 */
record Lint(String name, Function<Linted, Stream<Found>> check) {
    private static final List<Lint> ALL = List.of(
            new Lint("key-on-no-node", KeyOnNoNode::check),
            new Lint("selector-misses-own-pods", SelectorMissesOwnPods::check),
            new Lint("tainted-domain-counts", TaintedDomainCounts::check),
            new Lint("revisions-counted-together", RevisionsCountedTogether::check),
            new Lint("domains-missing", DomainsMissing::check),
            new Lint("pair-cannot-hold", PairCannotHold::check));

    /** What is wrong with a constraint, and what to do. */
    private record Found(WatchedConstraint constraint, String wrong, String remedy) {}

    static Stream<Finding> all(Linted workload) {
        return ALL.stream()
                .flatMap(lint -> lint.check
                        .apply(workload)
                        .map(found -> new Finding(lint.name, found.constraint.name(), found.wrong, found.remedy)));
    }

    /** There are fewer domains than minDomains, so that each takes no more than maxSkew; said where that is too little. */
    private static final class DomainsMissing {
        static Stream<Found> check(Linted workload) {
            return workload.growing().stream()
                    .filter(Linted::lacksDomains)
                    .filter(constraint -> Linted.hasDomains(constraint.counter()))
                    .filter(constraint -> room(constraint) < workload.wanted())
                    .map(constraint -> new Found(constraint, wrong(workload, constraint), remedy(constraint)));
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
                    + (constraint.constraint().minDomains()
                            - constraint.counter().countedDomains())
                    + " more of " + constraint.constraint().topologyKey() + ", or set minDomains: "
                    + constraint.counter().countedDomains();
        }
    }

    /** A Deployment's hard constraint counts old pods together with new ones during a rollout. */
    private static final class RevisionsCountedTogether {
        static Stream<Found> check(Linted workload) {
            if (!workload.replicas().workload().kind().equals("Deployment") || workload.wanted() <= 1) {
                return Stream.empty();
            }
            return workload.growing().stream()
                    .filter(constraint -> !constraint.isDefault()
                            && !constraint.constraint().labelSelector().keys().contains(Templates.HASH))
                    .map(constraint -> new Found(
                            constraint,
                            "during a rollout it counts the pods of both revisions, so the new ones are spread less evenly once the"
                                    + " old ones are gone, and may have to wait for them",
                            "add matchLabelKeys: [" + Templates.HASH + "]"));
        }
    }

    /** The labelSelector does not match the pods that have it: placing them changes nothing of what is counted. */
    private static final class SelectorMissesOwnPods {
        static Stream<Found> check(Linted workload) {
            return workload.constraints().stream()
                    .filter(constraint -> !constraint.isDefault() && !constraint.countsOwnPods())
                    .map(constraint -> new Found(
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

    /** No node has the topology key. */
    private static final class KeyOnNoNode {
        static Stream<Found> check(Linted workload) {
            return workload.constraints().stream()
                    .filter(constraint -> workload.cluster().nodes().count() > 0)
                    .filter(constraint -> !constraint.counter().topology().key().absentIsEmpty())
                    .filter(constraint -> constraint.counter().topology().nodeCount() == 0)
                    .map(constraint -> new Found(constraint, wrong(constraint), remedy(constraint)));
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

    /**
     * A domain that the pods cannot enter, as they do not tolerate the taints of any of its nodes, counts as the emptiest one. Where it
     * has f pods, each of the others may have f + maxSkew; said only where that is too little for the wanted pods that are not in
     * such a domain already.
     */
    private static final class TaintedDomainCounts {
        private static final int MOST_NAMED = 3;

        static Stream<Found> check(Linted workload) {
            return workload.growing().stream()
                    .filter(constraint -> constraint.constraint().nodeTaintsPolicy() == NodeInclusionPolicy.IGNORE
                            && !Linted.lacksDomains(constraint))
                    .flatMap(constraint -> check(workload, constraint));
        }

        private static Stream<Found> check(Linted workload, WatchedConstraint constraint) {
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
            long room = open.cardinality()
                    * ((long) fewest + constraint.constraint().maxSkew());
            if (closed.isEmpty() || room >= workload.wanted() - inClosed) {
                return Stream.empty();
            }
            return Stream.of(
                    new Found(
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

    /**
     * A hard constraint over a topology and another over its nodes that contradict each other at this number of pods.
     *
     * <p>Pods that are placed one by one from the start end with n to n + maxSkew on each node for some n, and with d to d + maxSkew in
     * each domain for some d. A domain of k nodes then has k·n to k·(n + maxSkew). Said only where no n and d admit the number, for which
     * no resources need be looked at: they can only take more away. A number that has an end and no order is passed over.
     */
    private static final class PairCannotHold {
        private static final long MOST_TRIED = 1_000_000;

        static Stream<Found> check(Linted workload) {
            return workload.growing().stream()
                    .filter(byNode -> byNode.constraint().topologyKey().equals(Node.HOSTNAME))
                    .flatMap(byNode -> workload.growing().stream()
                            .filter(outer -> !outer.constraint().topologyKey().equals(Node.HOSTNAME))
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

        private static Stream<Found> check(Linted workload, WatchedConstraint outer, WatchedConstraint byNode) {
            Map<String, Integer> nodesByDomain = nodesByDomain(outer.counter());
            int[] sizes =
                    nodesByDomain.values().stream().mapToInt(Integer::intValue).toArray();
            int skew = outer.constraint().maxSkew();
            int nodeSkew = byNode.constraint().maxSkew();
            if (sizes.length == 0 || admits(sizes, workload.wanted(), skew, nodeSkew)) {
                return Stream.empty();
            }
            return Stream.of(new Found(
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
                    if (admits(
                            sizes, pods, fewest, (long) fewest + skew, fewestOnNode, (long) fewestOnNode + nodeSkew)) {
                        return true;
                    }
                }
            }
            return false;
        }

        private static boolean admits(
                int[] sizes, int pods, long fewest, long most, long fewestOnNode, long mostOnNode) {
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

    /**
     * A lint's finding about a constraint of a workload.
     *
     * @param lint its name
     * @param constraint the constraint and its workload
     * @param wrong what is wrong with it
     * @param remedy what to do
     */
    record Finding(String lint, SpreadName constraint, String wrong, String remedy) {

        /** Tells findings apart: the words may have other numbers tomorrow. */
        record Key(String lint, SpreadName constraint) {}

        Key key() {
            return new Key(lint, constraint);
        }
    }

    /**
     * A workload that is looked at.
     *
     * @param wanted how many pods it is to have
     */
    record Linted(Replicas replicas, int wanted, ClusterView cluster) {

        List<WatchedConstraint> constraints() {
            return replicas.constraints();
        }

        /** Constraints that keep pods from nodes, where the pods themselves are counted: a pod more is one more in its domain. */
        List<WatchedConstraint> growing() {
            return constraints().stream()
                    .filter(constraint -> constraint.constraint().isHard() && constraint.countsOwnPods())
                    .toList();
        }

        /** Whether the constraint's minDomains are not there, so that the emptiest domain counts as empty. */
        static boolean lacksDomains(WatchedConstraint constraint) {
            return Skew.lacksDomains(
                    constraint.counter().countedDomains(),
                    constraint.constraint().minDomains());
        }

        /** Whether the counted nodes can be looked at by this counter: it has domains at all. */
        static boolean hasDomains(DomainCounter counter) {
            return counter.countedDomains() > 0;
        }
    }
}
