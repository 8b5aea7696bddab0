package io.evenkeel.plugins.placementpolicy.reading;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.SparseCounts;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.plugins.placementpolicy.bound.BoundPolicy;
import io.evenkeel.plugins.placementpolicy.bound.PolicyBook;
import io.evenkeel.plugins.placementpolicy.bound.RuleOfMany;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** A policy to be read, on the engine's thread, from the counts that placing its pods keeps. */
public final class ReadablePolicy {
    private final ClusterView cluster;
    private final PolicyBook book;
    private final BoundPolicy bound;
    private final List<RuleReader> rules;
    private List<BoundPolicy> enclosing = List.of();
    private long enclosingAt = -1;
    private final long size;
    /** How many policies the last reading went through to find the ones that enclose this one. */
    private int searched;

    ReadablePolicy(ClusterView cluster, PolicyBook book, BoundPolicy bound) {
        this.cluster = cluster;
        this.book = book;
        this.bound = bound;
        this.rules = bound.rules().stream()
                .map(rule -> new RuleReader(cluster, rule))
                .toList();
        this.size = bound.policy().spec().rules().stream()
                .mapToLong(rule -> 1L + rule.mustUse().size() + rule.weights().size())
                .sum();
    }

    /** As the API server has it. */
    public PolicyObject policy() {
        return bound.policy();
    }

    public Kind<?> kind() {
        return switch (bound.policy()) {
            case PlacementPolicy _ -> Kinds.PLACEMENT_POLICY;
            case ClusterPlacementPolicy _ -> Kinds.CLUSTER_PLACEMENT_POLICY;
        };
    }

    /** Why it cannot be kept: the field and the reason. */
    public Optional<String> fault() {
        return bound.fault();
    }

    /** A pod that it is about and that it does not hold for, as others do that come first. */
    public Optional<String> leftOut() {
        return bound.leftOut();
    }

    /** The rules by which this pod may be waiting for a domain, and that can be relaxed. */
    public List<AwaitedRule> awaitedRules(PodInfo pod) {
        return bound.hardRules(pod.pod()).stream()
                .flatMap(rule -> AwaitedDomains.of(rule, pod).stream())
                .toList();
    }

    /**
     * Of the rules that remember domains, by their label: those in which a node is open to one of the policy's pods. A label is absent
     * where the policy has no pod on a node.
     */
    public Map<String, Set<String>> domainsToRemember() {
        Map<String, Set<String>> byKey = new TreeMap<>();
        rules.forEach(rule -> rule.domainsToRemember()
                .ifPresent(domains -> byKey.computeIfAbsent(rule.topologyKey(), _ -> new TreeSet<>())
                        .addAll(domains)));
        return byKey;
    }

    /** A pod on a node that it is about and that is meant, if there is one among the first. */
    public Optional<Pod> somePod(Predicate<Pod> isMeant) {
        return new SomePod(cluster).in(bound.group().tally(), pod -> bound.governs(pod) && isMeant.test(pod));
    }

    /** Whether it is about the pod. */
    public boolean governs(Pod pod) {
        return bound.governs(pod);
    }

    /** Grows whenever another reading is to be expected, but for the pods that wait. */
    public long changes() {
        long changes = book.changes() + bound.leavings();
        for (int i = 0; i < bound.rules().size(); i++) {
            changes += bound.rules().get(i).changes();
        }
        return changes;
    }

    /** How much is to be looked at for a reading, roughly. */
    public long cost() {
        long cost = 1L + bound.group().tally().counts().size();
        for (RuleOfMany rule : bound.rules()) {
            cost += rule.size();
        }
        return cost + searched + size * (1L + enclosing.size());
    }

    /**
     * The policy as it is kept now.
     *
     * @param waiting of the pods that it is about, how many wait for a node
     * @param mostDomains to be named of a rule
     */
    public PolicyReading read(int waiting, int mostDomains) {
        searched = 0;
        if (enclosingAt != book.changes()) {
            enclosingAt = book.changes();
            searched = book.all().size();
            enclosing = Enclosing.of(bound, book.all());
        }
        return new PolicyReading(
                pods(),
                waiting,
                rules.stream().map(rule -> rule.read(mostDomains)).toList(),
                new Contradictions(bound, waiting).with(enclosing));
    }

    private long pods() {
        SparseCounts counts = bound.group().tally().counts();
        long[] sum = new long[1];
        counts.forEachNode(node -> sum[0] += cluster.nodes().present().contains(node) ? counts.get(node) : 0);
        return sum[0];
    }
}
