package io.evenkeel.whatif.rebalance;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.SpreadCounters;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.NodeEligibility;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.shape.AffinityRules;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.NodeRequirement;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs;
import io.evenkeel.config.Profile;
import io.evenkeel.engine.decision.Likeness;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.EvictionBudgets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The pods in place by kind, the hard constraints of each kind with the counts that these read, and which kinds have to do with each
 * other: one counts pods of the other, or keeps them away. Pods of a kind can take each other's places.
 */
final class PodKinds implements AutoCloseable {
    static final String NODE_AFFINITY = "NodeAffinity";
    private static final int FEW_PODS = 24;
    private static final String POLICIES = "PlacementPolicy";

    /** The plugins whose verdict on a pod holds as long as it runs. */
    static final Set<String> OF_RUNNING_PODS =
            Set.of(NodeVerdicts.SPREAD, NodeVerdicts.AFFINITY, NODE_AFFINITY, POLICIES);

    /** A hard spread constraint, and what it counts. */
    record Spread(TopologySpreadConstraint constraint, SelectorGroup group, DomainCounter counter) {}

    /** Pods that a rule looks for, by domain. */
    record Sought(SelectorGroup group, DomainCounter counter) {}

    /**
     * The hard constraints of pods of one shape.
     *
     * @param companions who the required affinity looks for, by each of its keys
     * @param shunned who each term of the required anti-affinity keeps away from
     * @param heedsOthers whether terms of other pods keep it away
     */
    record Rules(
            List<Spread> spreads,
            List<Sought> companions,
            List<Sought> shunned,
            NodeRequirement requirement,
            boolean heedsOthers) {
        boolean areNone() {
            return spreads.isEmpty() && companions.isEmpty() && shunned.isEmpty() && requirement.isUnrestricted();
        }
    }

    /**
     * Pods that can take each other's places.
     *
     * @param pod one of them
     * @param mayMove whether they may be moved at all
     * @param isJudged whether their rules are to hold: not those of pods on their way out
     * @param isStrange whether plugins look at it whose rules are not known
     * @param all of them
     */
    record Kind(Pod pod, Rules rules, boolean mayMove, boolean isJudged, boolean isStrange, List<Pod> all) {}

    private record Key(Likeness likeness, boolean mayMove, Pod.Departure departure, Optional<LabelSelector> peers) {}

    private record RulesKey(Facet<PodShape> shape, String scheduler, Optional<LabelSelector> peers) {}

    private final ClusterSnapshot snapshot;
    private final ClusterView view;
    private final SpreadCounters counters;
    private final Map<RulesKey, Rules> rules = new HashMap<>();
    private final Map<String, List<TopologySpreadConstraint>> defaults;
    private final EvictionBudgets budgets;
    private final List<Kind> kinds;

    PodKinds(ClusterSnapshot snapshot) {
        this.snapshot = snapshot;
        view = snapshot.view();
        counters = new SpreadCounters(view);
        defaults = snapshot.configuration().profiles().stream()
                .collect(Collectors.toMap(Profile::schedulerName, PodKinds::hardDefaults));
        budgets = new EvictionBudgets(view);
        // all selectors are to be known before pods are told apart by what selectors read
        eachRow(this::rulesOf);
        kinds = List.copyOf(find());
    }

    List<Kind> all() {
        return kinds;
    }

    /** Whether all pods of the cluster can take part in making room. */
    boolean isSmall() {
        return view.pods().count() <= FEW_PODS;
    }

    private void eachRow(IntConsumer row) {
        for (int i = 0; i < view.pods().end(); i++) {
            if (!view.pods().isFree(i)) {
                row.accept(i);
            }
        }
    }

    private List<Kind> find() {
        Map<Key, Kind> found = new LinkedHashMap<>();
        eachRow(row -> {
            Pod pod = view.pods().pod(row);
            Key key = new Key(
                    Likeness.of(new PodInfo(pod, view.pods().shape(row)), view),
                    keptBy(pod).isEmpty(),
                    pod.departure(),
                    peersOf(pod));
            found.computeIfAbsent(key, _ -> kindOf(pod, row, key.mayMove()))
                    .all()
                    .add(pod);
        });
        return List.copyOf(found.values());
    }

    private Kind kindOf(Pod pod, int row, boolean mayMove) {
        return new Kind(
                pod,
                rulesOf(row),
                mayMove,
                !pod.meta().terminating(),
                snapshot.ask(pod, (judge, info) -> !judge.areUnderstood(info)),
                new ArrayList<>());
    }

    /** See {@link EvictionBudgets#keptBy}. */
    Optional<String> keptBy(Pod pod) {
        return budgets.keptBy(pod);
    }

    private static List<TopologySpreadConstraint> hardDefaults(Profile profile) {
        return profile.argsOf(NodeVerdicts.SPREAD)
                .filter(PodTopologySpreadArgs.class::isInstance)
                .map(args -> ((PodTopologySpreadArgs) args).defaultConstraints().stream())
                .orElse(Stream.of())
                .filter(TopologySpreadConstraint::isHard)
                .toList();
    }

    /** Whom the profile's default constraints spread the pod from; empty where they are not for it. */
    private Optional<LabelSelector> peersOf(Pod pod) {
        if (!pod.spec().topologySpread().isEmpty()
                || defaults.getOrDefault(pod.spec().schedulerName(), List.of()).isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(view.workloads().selectorOfPeers(pod)).filter(peers -> !peers.matchesEverything());
    }

    private Rules rulesOf(int row) {
        Pod pod = view.pods().pod(row);
        Facet<PodShape> shape = view.pods().shape(row);
        return rules.computeIfAbsent(
                new RulesKey(shape, pod.spec().schedulerName(), peersOf(pod)), key -> compile(pod, key));
    }

    private Rules compile(Pod pod, RulesKey key) {
        PodShape shape = key.shape().value();
        return snapshot.ask(
                pod,
                (judge, _) -> new Rules(
                        judge.askPlugin(NodeVerdicts.SPREAD) ? spreads(pod, shape, key) : List.of(),
                        judge.askPlugin(NodeVerdicts.AFFINITY)
                                ? companions(shape.affinity().value())
                                : List.of(),
                        judge.askPlugin(NodeVerdicts.AFFINITY)
                                ? shape.affinity().value().affinity().requiredAntiAffinity().stream()
                                        .map(term -> sought(
                                                List.of(term),
                                                term.topologyKey(),
                                                shape.affinity().value().namespace()))
                                        .toList()
                                : List.of(),
                        judge.askPlugin(NODE_AFFINITY)
                                ? shape.nodeRequirement().value().required()
                                : NodeRequirement.NONE,
                        judge.askPlugin(NodeVerdicts.AFFINITY)));
    }

    private List<Spread> spreads(Pod pod, PodShape shape, RulesKey key) {
        List<TopologySpreadConstraint> hard = key.peers()
                .map(peers -> defaults.getOrDefault(key.scheduler(), List.of()).stream()
                        .map(constraint -> constraint.withSelector(peers))
                        .toList())
                .orElseGet(() -> shape.spread().value().constraints().stream()
                        .filter(TopologySpreadConstraint::isHard)
                        .toList());
        List<String> keys = SpreadCounters.keysOf(hard);
        SpreadCounters.Owner owner = new SpreadCounters.Owner(
                pod.namespace(),
                shape.nodeRequirement().value(),
                shape.tolerations().value());
        return hard.stream()
                .map(constraint -> {
                    SelectorGroup group = counters.acquireGroup(constraint, owner);
                    return new Spread(constraint, group, counters.acquire(group, constraint, keys, false, owner));
                })
                .toList();
    }

    private List<Sought> companions(AffinityRules affinity) {
        List<PodAffinityTerm> terms = affinity.affinity().requiredAffinity();
        return terms.stream()
                .map(PodAffinityTerm::topologyKey)
                .distinct()
                .map(key -> sought(terms, key, affinity.namespace()))
                .toList();
    }

    private Sought sought(List<PodAffinityTerm> terms, String topologyKey, String namespace) {
        List<PodMatch> matches = terms.stream()
                .map(term -> PodMatch.of(term, namespace))
                .distinct()
                .toList();
        SelectorGroup group = view.selectors().acquire(new SelectorGroup.Key(matches, true));
        return new Sought(
                group,
                view.counters()
                        .acquire(
                                group.tally(),
                                new Topology.Key(topologyKey, false),
                                NodeEligibility.Key.having(topologyKey),
                                false));
    }

    /** The kinds that have to do with each other, those apart that have rules; each list in the order of {@link #all}. */
    List<List<Kind>> workloads() {
        int[] parents = new int[kinds.size()];
        for (int i = 0; i < parents.length; i++) {
            parents[i] = i;
        }
        Map<SelectorGroup, Integer> readers = new HashMap<>();
        int firstStrange = -1;
        for (int i = 0; i < kinds.size(); i++) {
            Kind kind = kinds.get(i);
            for (SelectorGroup group : groupsOf(kind.rules())) {
                Integer other = readers.putIfAbsent(group, i);
                if (other != null) {
                    join(parents, i, other);
                }
            }
            if (kind.isStrange()) {
                firstStrange = firstStrange < 0 ? i : firstStrange;
                join(parents, i, firstStrange);
            }
        }
        boolean[] concerned = new boolean[kinds.size()];
        for (int i = 0; i < kinds.size(); i++) {
            for (SelectorGroup group : view.selectors()
                    .groupsOf(view.pods().find(kinds.get(i).pod().key()))) {
                Integer reader = readers.get(group);
                if (reader != null) {
                    join(parents, i, reader);
                    concerned[i] = true;
                }
            }
            concerned[i] |= !kinds.get(i).rules().areNone() || kinds.get(i).isStrange();
        }
        Map<Integer, List<Kind>> workloads = new LinkedHashMap<>();
        for (int i = 0; i < kinds.size(); i++) {
            if (concerned[i]) {
                workloads
                        .computeIfAbsent(root(parents, i), _ -> new ArrayList<>())
                        .add(kinds.get(i));
            }
        }
        return List.copyOf(workloads.values());
    }

    private static List<SelectorGroup> groupsOf(Rules rules) {
        List<SelectorGroup> groups = new ArrayList<>();
        rules.spreads().forEach(spread -> groups.add(spread.group()));
        rules.companions().forEach(sought -> groups.add(sought.group()));
        rules.shunned().forEach(sought -> groups.add(sought.group()));
        return groups;
    }

    private static void join(int[] parents, int one, int other) {
        parents[root(parents, one)] = root(parents, other);
    }

    private static int root(int[] parents, int of) {
        int root = of;
        while (parents[root] != root) {
            parents[root] = parents[parents[root]];
            root = parents[root];
        }
        return root;
    }

    @Override
    public void close() {
        budgets.close();
        for (Rules each : rules.values()) {
            each.spreads().forEach(spread -> release(spread.group(), spread.counter()));
            each.companions().forEach(sought -> release(sought.group(), sought.counter()));
            each.shunned().forEach(sought -> release(sought.group(), sought.counter()));
        }
    }

    private void release(SelectorGroup group, DomainCounter counter) {
        view.counters().release(counter);
        view.selectors().release(group);
    }
}
