package io.evenkeel.policies;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.PodTally;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.cluster.node.SparseCounts;
import io.evenkeel.cluster.shape.NodeRequirement;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.value.LabelSelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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

    /** The domains that count for a pod by a rule that may be relaxed, those with known names among them. */
    private static final class AwaitedDomains {
        private AwaitedDomains() {}

        static Optional<AwaitedRule> of(BoundRule bound, PodInfo pod) {
            PolicyRule rule = bound.rule();
            if (rule.terms().relaxAfterSeconds().isEmpty() || rule.maxSkew().isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(new AwaitedRule(
                    rule.topologyKey(),
                    rule.maxSkew().getAsInt(),
                    Duration.ofSeconds(rule.terms().relaxAfterSeconds().getAsInt()),
                    domains(bound, pod)));
        }

        private static List<AwaitedRule.Domain> domains(BoundRule bound, PodInfo pod) {
            DomainCounter open = bound.openTo(pod.shape());
            Topology topology = open.topology();
            Map<Integer, NodeSet> nodes = nodesByDomain(topology);
            List<AwaitedRule.Domain> all = new ArrayList<>();
            for (int domain = 0; domain < topology.end(); domain++) {
                if (open.isCounted(domain)) {
                    all.add(domain(topology.value(domain), open.sumOf(domain), nodes.get(domain)));
                }
            }
            NodeRequirement requirement = pod.shape().nodeRequirement().value();
            for (BoundRule.Known known : bound.known()) {
                int pods = bound.podsIn(known.domain());
                if (bound.countsThoughClosed(known, pods, open, requirement)) {
                    all.add(domain(known.domain(), pods, nodes.get(topology.find(known.domain()))));
                }
            }
            all.sort(Comparator.comparingInt(AwaitedRule.Domain::pods).thenComparing(AwaitedRule.Domain::name));
            return all;
        }

        private static AwaitedRule.Domain domain(String name, int pods, @Nullable NodeSet nodes) {
            return new AwaitedRule.Domain(name, pods, nodes == null ? NodeSetView.NONE : nodes);
        }

        private static Map<Integer, NodeSet> nodesByDomain(Topology topology) {
            Map<Integer, NodeSet> byDomain = new HashMap<>();
            NodeSetView all = topology.nodes();
            for (int node = all.first(); node >= 0; node = all.next(node + 1)) {
                byDomain.computeIfAbsent(topology.domainOf(node), _ -> new NodeSet())
                        .add(node);
            }
            return byDomain;
        }
    }

    /**
     * The policies that are about all pods of another one, as far as their selectors tell without a look at any pod: what they ask for
     * holds for those pods, too.
     */
    private static final class Enclosing {
        /** Nobody has more on purpose; with others no contradictions are looked for. */
        private static final int MOST = 8;

        private Enclosing() {}

        /** Without the policy itself, and without policies that cannot be kept. */
        static List<BoundPolicy> of(BoundPolicy policy, Collection<BoundPolicy> all) {
            return all.stream()
                    .filter(other -> !other.equals(policy)
                            && other.fault().isEmpty()
                            && encloses(other.policy(), policy.policy()))
                    .limit(MOST)
                    .toList();
        }

        private static boolean encloses(PolicyObject outer, PolicyObject inner) {
            return enclosesNamespaces(outer, inner)
                    && isWeaker(outer.spec().selector(), inner.spec().selector());
        }

        private static boolean enclosesNamespaces(PolicyObject outer, PolicyObject inner) {
            return switch (outer) {
                case PlacementPolicy own ->
                    inner instanceof PlacementPolicy
                            && own.meta().namespace().equals(inner.meta().namespace());
                case ClusterPlacementPolicy wide ->
                    wide.spec().namespaceSelector().matchesEverything()
                            || (inner instanceof ClusterPlacementPolicy
                                    && isWeaker(
                                            wide.spec().namespaceSelector(),
                                            inner.spec().namespaceSelector()));
            };
        }

        /** Whether it asks for nothing that the other does not ask for. */
        private static boolean isWeaker(LabelSelector one, LabelSelector other) {
            return !one.matchesNothing()
                    && !other.matchesNothing()
                    && other.requirements().containsAll(one.requirements());
        }
    }

    /**
     * A rule by which a pod waits for domains that have fewer pods than others, until it may do without.
     *
     * @param patience how long
     * @param domains the emptiest first
     */
    public record AwaitedRule(String topologyKey, int maxSkew, Duration patience, List<Domain> domains) {

        public AwaitedRule {
            domains = List.copyOf(domains);
        }

        /**
         * A domain that counts for the pod.
         *
         * @param nodes that are in it, be they open to the pod or not
         */
        public record Domain(String name, int pods, NodeSetView nodes) {}
    }

    /** The policies that there are, for those who look on now and then: nothing is counted for them that is not counted anyway. */
    public static final class PolicyReadings {
        private final ClusterView cluster;
        private final PolicyBook book;
        private Map<BoundPolicy, ReadablePolicy> readable = new LinkedHashMap<>();
        private long changes = -1;

        public PolicyReadings(ClusterView cluster) {
            this.cluster = cluster;
            this.book = PolicyBook.of(cluster);
        }

        /** Grows whenever there are other policies than before, or one asks for something else. */
        public long changes() {
            return book.changes();
        }

        /** All of them; one is the same object for as long as it asks for the same. */
        public List<ReadablePolicy> all() {
            if (changes != book.changes()) {
                changes = book.changes();
                Map<BoundPolicy, ReadablePolicy> now = new LinkedHashMap<>();
                for (BoundPolicy bound : book.all()) {
                    ReadablePolicy before = readable.get(bound);
                    now.put(bound, before == null ? new ReadablePolicy(cluster, book, bound) : before);
                }
                readable = now;
            }
            return List.copyOf(readable.values());
        }
    }

    /** Finds one of the pods that are counted: pods of a policy are mostly alike. */
    record SomePod(ClusterView cluster) {
        /** On the first node that has any of them. */
        Optional<Pod> in(PodTally tally, Predicate<Pod> isMeant) {
            OptionalInt node = firstOf(tally.counts());
            if (node.isEmpty()) {
                return Optional.empty();
            }
            PodTable pods = cluster.pods();
            for (int row = pods.firstOnNode(node.getAsInt()); row != PodTable.NONE; row = pods.nextOnNode(row)) {
                if (cluster.selectors().isCounted(row, tally) && isMeant.test(pods.pod(row))) {
                    return Optional.of(pods.pod(row));
                }
            }
            return Optional.empty();
        }

        private static OptionalInt firstOf(SparseCounts counts) {
            int[] first = {Integer.MAX_VALUE};
            counts.forEachNode(node -> first[0] = Math.min(first[0], node));
            return first[0] == Integer.MAX_VALUE ? OptionalInt.empty() : OptionalInt.of(first[0]);
        }
    }
}
