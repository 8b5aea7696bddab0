package io.evenkeel.whatif.drain;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.SpreadCounters;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.Skew;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.NodeRequirement;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.cluster.shape.SpreadRules;
import io.evenkeel.cluster.shape.Tolerations;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.whatif.ClusterSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whether the pods in place keep their own hard constraints as others go and come. The scheduler judges who comes; what that does
 * to those that stay, nobody asks: a domain that loses a pod may leave others too full, and a pod that goes was the companion that
 * another requires. No other rule can be broken so: of anti-affinity the newcomer is asked.
 *
 * <p>Spread is read off the counters that the filter keeps: a rule whose counter has not changed is not looked at again.
 */
final class Standing implements AutoCloseable {

    /** The pods that share their spread rules, as the filter tells them apart. */
    private record Spreading(
            Facet<SpreadRules> rules, Facet<NodeRequirement> requirement, Facet<Tolerations> tolerations) {
        static Spreading of(PodShape shape) {
            return new Spreading(shape.spread(), shape.nodeRequirement(), shape.tolerations());
        }
    }

    private static final class Rule {
        final Spreading pods;
        final TopologySpreadConstraint constraint;
        final SelectorGroup group;
        final DomainCounter counter;
        /** The counter's changes when no domain was too full. */
        long heldAt = -1;

        Rule(Spreading pods, TopologySpreadConstraint constraint, SelectorGroup group, DomainCounter counter) {
            this.pods = pods;
            this.constraint = constraint;
            this.group = group;
            this.counter = counter;
        }

        int most() {
            int fewest = Skew.lacksDomains(counter.countedDomains(), constraint.minDomains()) ? 0 : counter.minimum();
            return Skew.mostAllowed(constraint.maxSkew(), fewest, 0);
        }
    }

    /** A pod against whose rule the others stand. */
    record Broken(String pod, String node, String rule) {
        String text() {
            return pod + " on " + node + " would be against its " + rule;
        }
    }

    private final ClusterSnapshot snapshot;
    private final ClusterView cluster;
    private final List<Rule> rules = new ArrayList<>();
    /** The keys of pods that require companions. */
    private final List<String> accompanied = new ArrayList<>();

    private final Set<Broken> lonelyBefore = new HashSet<>();

    Standing(ClusterSnapshot snapshot) {
        this.snapshot = snapshot;
        this.cluster = snapshot.view();
        SpreadCounters counters = new SpreadCounters(cluster);
        Map<Facet<PodShape>, Boolean> seen = new HashMap<>();
        Set<Spreading> known = new HashSet<>();
        PodTable pods = cluster.pods();
        for (int row = 0; row < pods.end(); row++) {
            if (pods.isFree(row)) {
                continue;
            }
            PodShape shape = pods.shape(row).value();
            if (!shape.affinity().value().affinity().requiredAffinity().isEmpty()) {
                accompanied.add(pods.pod(row).key());
            }
            if (seen.putIfAbsent(pods.shape(row), true) == null && known.add(Spreading.of(shape))) {
                add(Spreading.of(shape), counters);
            }
        }
        accompanied.forEach(key -> lonely(key).ifPresent(lonelyBefore::add));
    }

    private void add(Spreading pods, SpreadCounters counters) {
        SpreadRules spread = pods.rules().value();
        List<TopologySpreadConstraint> hard = spread.constraints().stream()
                .filter(TopologySpreadConstraint::isHard)
                .toList();
        SpreadCounters.Owner owner = new SpreadCounters.Owner(
                spread.namespace(),
                pods.requirement().value(),
                pods.tolerations().value());
        for (TopologySpreadConstraint constraint : hard) {
            SelectorGroup group = counters.acquireGroup(constraint, owner);
            DomainCounter counter = counters.acquire(group, constraint, SpreadCounters.keysOf(hard), false, owner);
            rules.add(new Rule(pods, constraint, group, counter));
        }
    }

    /** The pods whose spread constraints are broken now. */
    Set<Broken> broken() {
        Set<Broken> broken = Set.of();
        for (int i = 0; i < rules.size(); i++) {
            Rule rule = rules.get(i);
            if (rule.heldAt == rule.counter.changes()) {
                continue;
            }
            int most = rule.most();
            boolean[] isTooFull = {false};
            rule.counter.forEachOccupied(domain -> isTooFull[0] |= rule.counter.sumOf(domain) > most);
            if (isTooFull[0]) {
                broken = broken.isEmpty() ? new HashSet<>() : broken;
                gather(rule, most, broken);
            } else {
                rule.heldAt = rule.counter.changes();
            }
        }
        return broken;
    }

    private void gather(Rule rule, int most, Set<Broken> broken) {
        PodTable pods = cluster.pods();
        NodeSetView nodes = rule.counter.topology().nodes();
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            int domain = rule.counter.topology().domainOf(node);
            if (domain == Topology.NO_DOMAIN || rule.counter.sumOf(domain) <= most) {
                continue;
            }
            for (int row = pods.firstOnNode(node); row != PodTable.NONE; row = pods.nextOnNode(row)) {
                if (Spreading.of(pods.shape(row).value()).equals(rule.pods)) {
                    broken.add(new Broken(
                            pods.pod(row).key(),
                            cluster.nodes().name(node),
                            "spread over " + rule.constraint.topologyKey() + " (maxSkew " + rule.constraint.maxSkew()
                                    + ")"));
                }
            }
        }
    }

    /**
     * A pod with a broken constraint that was not broken before.
     *
     * @param before what {@link #broken} said before
     * @param moved pods that have gone elsewhere
     */
    Optional<Broken> newlyBroken(Set<Broken> before, Collection<Pod> moved) {
        for (Broken each : broken()) {
            if (!before.contains(each)) {
                return Optional.of(each);
            }
        }
        for (String key : accompanied) {
            if (moved.stream().anyMatch(pod -> mayAccompany(pod, key))) {
                Optional<Broken> lonely = lonely(key).filter(each -> !lonelyBefore.contains(each));
                if (lonely.isPresent()) {
                    return lonely;
                }
            }
        }
        return Optional.empty();
    }

    private boolean mayAccompany(Pod moved, String key) {
        return cluster.pod(key)
                .filter(pod -> pod.spec().podAffinity().requiredAffinity().stream()
                        .map(PodAffinityTerm::labelSelector)
                        .anyMatch(selector -> selector.matches(moved.labels())))
                .isPresent();
    }

    private Optional<Broken> lonely(String key) {
        Optional<String> node = snapshot.nodeOf(key);
        return node.isEmpty() || snapshot.fitsOn(cluster.pod(key).orElseThrow(), node.get())
                ? Optional.empty()
                : Optional.of(new Broken(key, node.get(), "required pod affinity"));
    }

    @Override
    public void close() {
        for (Rule rule : rules) {
            cluster.counters().release(rule.counter);
            cluster.selectors().release(rule.group);
        }
    }
}
