package io.evenkeel.whatif;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.SpreadCounters;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.Skew;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.NodeRequirement;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.cluster.shape.SpreadRules;
import io.evenkeel.cluster.shape.Tolerations;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.whatif.ClusterSnapshot.Transaction;
import java.util.ArrayList;
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
 * <p>Spread is read off the counters that the filter keeps: a rule whose counter has not changed is not looked at again. A pod on a
 * node that its constraint does not count is passed over, and so is one on its way out.
 */
public final class Standing implements AutoCloseable {

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

    private final ClusterSnapshot snapshot;
    private final ClusterView cluster;
    private final List<Rule> rules = new ArrayList<>();
    /** The keys of pods that require companions. */
    private final List<String> accompanied = new ArrayList<>();

    private final Set<String> lonelyBefore = new HashSet<>();

    public Standing(ClusterSnapshot snapshot) {
        this.snapshot = snapshot;
        this.cluster = snapshot.view();
        SpreadCounters counters = new SpreadCounters(cluster);
        Map<Facet<PodShape>, Boolean> seen = new HashMap<>();
        Set<Spreading> known = new HashSet<>();
        PodTable pods = cluster.pods();
        for (int row = 0; row < pods.end(); row++) {
            if (pods.isFree(row) || pods.pod(row).meta().terminating()) {
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
        accompanied.stream().filter(this::isLonely).forEach(lonelyBefore::add);
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

    /**
     * Whether an empty node that is taken away may break a constraint: there are minDomains, or what its DaemonSets' pods are near
     * to matters. Else a domain that has gone without a pod only lets others have more.
     */
    public boolean mindsNodesThatGo() {
        return !accompanied.isEmpty() || rules.stream().anyMatch(rule -> rule.constraint.minDomains() > 1);
    }

    /** A domain that has more pods than a constraint allows. */
    public record TooFull(int rule, int domain) {}

    /** What is broken now, to be compared with later. */
    public record Broken(Set<TooFull> domains) {}

    /** What is broken now of spread constraints. */
    public Broken broken() {
        Set<TooFull> all = Set.of();
        for (int i = 0; i < rules.size(); i++) {
            Rule rule = rules.get(i);
            if (rule.heldAt == rule.counter.changes()) {
                continue;
            }
            int most = rule.most();
            Set<TooFull> its = new HashSet<>(0);
            int number = i;
            rule.counter.forEachOccupied(domain -> {
                if (rule.counter.sumOf(domain) > most) {
                    its.add(new TooFull(number, domain));
                }
            });
            if (its.isEmpty()) {
                rule.heldAt = rule.counter.changes();
            } else {
                all = all.isEmpty() ? new HashSet<>() : all;
                all.addAll(its);
            }
        }
        return new Broken(all);
    }

    /** A pod in a domain that is too full for it; none may be there, as those that count need not be those with the rule. */
    private Optional<String> podIn(TooFull place) {
        Rule rule = rules.get(place.rule());
        PodTable pods = cluster.pods();
        NodeSetView nodes = rule.counter.topology().nodes();
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            if (rule.counter.topology().domainOf(node) != place.domain()) {
                continue;
            }
            for (int row = pods.firstOnNode(node); row != PodTable.NONE; row = pods.nextOnNode(row)) {
                if (!pods.pod(row).meta().terminating()
                        && Spreading.of(pods.shape(row).value()).equals(rule.pods)) {
                    return Optional.of(pods.pod(row).key() + " on "
                            + cluster.nodes().name(node)
                            + " would be against its spread over " + rule.constraint.topologyKey() + " (maxSkew "
                            + rule.constraint.maxSkew() + ")");
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Why a pod's constraint is broken that was not broken before.
     *
     * @param before what {@link #broken} said before
     * @param moved pods that have gone elsewhere
     */
    public Optional<String> newlyBroken(Broken before, List<Pod> moved) {
        for (TooFull each : broken().domains()) {
            Optional<String> pod = before.domains().contains(each) ? Optional.empty() : podIn(each);
            if (pod.isPresent()) {
                return pod;
            }
        }
        for (String key : accompanied) {
            if (moved.stream().anyMatch(pod -> mayAccompany(pod, key))
                    && isLonely(key)
                    && !lonelyBefore.contains(key)) {
                return Optional.of(key + " would be without the pods that it requires near it");
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

    private boolean isLonely(String key) {
        Optional<String> node = snapshot.nodeOf(key);
        if (node.isEmpty()) {
            return false;
        }
        Pod pod = cluster.pod(key).orElseThrow();
        try (Transaction _ = snapshot.begin()) {
            snapshot.preemptPods(List.of(pod));
            int at = cluster.nodes().findPresent(node.get());
            return snapshot.ask(pod, (judge, info) -> judge.objectors(info, at).contains(NodeVerdicts.AFFINITY));
        }
    }

    @Override
    public void close() {
        for (Rule rule : rules) {
            cluster.counters().release(rule.counter);
            cluster.selectors().release(rule.group);
        }
    }
}
