package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.api.NodeInfo;
import io.evenkeel.cluster.LiveNode;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.NodeChange.NodeLabelled;
import io.evenkeel.framework.why.PodChange.MaxSkew;
import io.evenkeel.framework.why.PodChange.MinDomains;
import io.evenkeel.framework.why.PodChange.SpreadPreferred;
import io.evenkeel.framework.why.PodChange.TaintsHonoured;
import io.evenkeel.model.Node;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.value.SelectorText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Explains PodTopologySpread to a pod that would make things uneven: the sum of each domain, and which rule could be milder. */
final class SpreadAnswers {
    private SpreadAnswers() {}

    static Account account(HardConstraint constraint, PodInfo pod) {
        DomainCounter counter = constraint.counter();
        Topology topology = constraint.topology();
        int self = constraint.selfMatch(pod.pod().labels());
        int fewest = constraint.fewest();
        List<Account.SpreadDomain> domains = IntStream.range(0, topology.end())
                .filter(domain -> topology.nodeCount(domain) > 0)
                .mapToObj(domain -> {
                    int skew = counter.sumOf(domain) + self - fewest;
                    return new Account.SpreadDomain(
                            topology.value(domain),
                            counter.sumOf(domain),
                            counter.isCounted(domain),
                            skew,
                            skew <= constraint.maxSkew());
                })
                .sorted(Comparator.comparing(Account.SpreadDomain::value))
                .toList();
        return new Account.Spread(
                topology.key().label(),
                constraint.maxSkew(),
                constraint.minDomains(),
                SelectorText.of(constraint.selector()),
                self,
                fewest,
                domains);
    }

    /** The constraints that spread a pod, of whatever origin. */
    static List<Account> inForce(PodConstraints.Of spread) {
        return spread.constraints().stream()
                .<Account>map(constraint -> new Account.Words("maxSkew " + constraint.maxSkew() + " over "
                        + constraint.topologyKey() + " for pods with " + SelectorText.of(constraint.labelSelector())
                        + (constraint.isHard() ? "" : ", a preference")
                        + (spread.areDefault() ? ", by default of the profile" : "")))
                .toList();
    }

    /** By how much skew the constraints are broken, all together. */
    static double distance(List<HardConstraint> constraints, PodInfo pod, NodeInfo node) {
        return constraints.stream()
                .mapToDouble(constraint -> Math.max(0, (double) skew(constraint, pod, node) - constraint.maxSkew()))
                .sum();
    }

    /** As much as makes any constraint fail where the node has not even its key. */
    private static int skew(HardConstraint constraint, PodInfo pod, NodeInfo node) {
        int domain = constraint.topology().domainOf(LiveNode.idOf(node));
        return domain == Topology.NO_DOMAIN
                ? Integer.MAX_VALUE
                : constraint.counter().sumOf(domain)
                        + constraint.selfMatch(pod.pod().labels())
                        - constraint.fewest();
    }

    /** The label that the node lacks, as the domain has it that has the fewest pods; a new one where there is none. */
    private static Change label(HardConstraint constraint, NodeInfo node) {
        Topology topology = constraint.topology();
        String key = topology.key().label();
        return IntStream.range(0, topology.end())
                .filter(domain -> topology.nodeCount(domain) > 0)
                .boxed()
                .min(Comparator.<Integer>comparingInt(constraint.counter()::sumOf)
                        .thenComparing(topology::value))
                .map(domain -> new NodeLabelled(node.name(), key, topology.value(domain)))
                .orElseGet(() -> NodeLabelled.anew(node.name(), key));
    }

    /**
     * Each of the broken constraints milder, in one way or another, or a label for the node that it asks for. Constraints that
     * the pod has by default cannot be changed in it.
     */
    static List<List<Change>> remedies(List<HardConstraint> constraints, PodInfo pod, NodeInfo node) {
        List<TopologySpreadConstraint> written = pod.pod().spec().topologySpread();
        int[] places = IntStream.range(0, written.size())
                .filter(place -> written.get(place).isHard())
                .toArray();
        if (places.length != constraints.size()) {
            return List.of();
        }
        List<Change> moreSkew = new ArrayList<>();
        List<Change> fewerDomains = new ArrayList<>();
        List<Change> fewerNodes = new ArrayList<>();
        List<Change> preferred = new ArrayList<>();
        Map<String, Change> labels = new LinkedHashMap<>();
        boolean hasKeys = true;
        for (int i = 0; i < places.length; i++) {
            HardConstraint constraint = constraints.get(i);
            int skew = skew(constraint, pod, node);
            if (skew > constraint.maxSkew()) {
                TopologySpreadConstraint rule = written.get(places[i]);
                if (skew == Integer.MAX_VALUE) {
                    hasKeys = false;
                    labels.putIfAbsent(rule.topologyKey(), label(constraint, node));
                }
                moreSkew.add(new MaxSkew(places[i], rule.topologyKey(), rule.maxSkew(), skew));
                preferred.add(new SpreadPreferred(places[i], rule.topologyKey()));
                if (constraint.lacksDomains()) {
                    int there = Math.max(1, constraint.counter().countedDomains());
                    fewerDomains.add(new MinDomains(places[i], rule.topologyKey(), rule.minDomains(), there));
                }
                if (rule.nodeTaintsPolicy() == NodeInclusionPolicy.IGNORE) {
                    fewerNodes.add(new TaintsHonoured(places[i], rule.topologyKey()));
                }
            }
        }
        List<List<Change>> ways = new ArrayList<>();
        if (hasKeys) {
            ways.add(moreSkew);
            ways.add(fewerDomains);
            ways.add(fewerNodes);
        }
        if (!labels.containsKey(Node.HOSTNAME)) {
            ways.add(List.copyOf(labels.values()));
        }
        ways.add(preferred);
        ways.removeIf(List::isEmpty);
        return ways;
    }
}
