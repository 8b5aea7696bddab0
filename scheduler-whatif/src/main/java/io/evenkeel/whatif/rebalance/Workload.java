package io.evenkeel.whatif.rebalance;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.counting.CarriedTerm;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.Skew;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.model.Pod;
import io.evenkeel.whatif.rebalance.PodKinds.Kind;
import io.evenkeel.whatif.rebalance.PodKinds.Sought;
import io.evenkeel.whatif.rebalance.PodKinds.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * The pods of kinds that have to do with each other, and a copy of all that their hard constraints count, which follows as pods are moved
 * in thought. A pod counts where it is; whether its rules hold is asked as its filters would be, beside all others. A move costs one
 * step a counter.
 */
final class Workload {

    /** What is counted of some pods, by domain. */
    static final class Counter {
        final int[] domainOf;
        final boolean[] isCounted;
        final int[] sums;
        final boolean[] isDomain;
        final int domains;
        /** How much a pod of each kind counts. */
        final int[] weights;

        long total;
        /** The smallest sum of a domain; -1 until it is looked for. */
        private int fewest = -1;

        Counter(DomainCounter counter, int[] nodes, int kinds) {
            domainOf = Arrays.stream(nodes).map(counter.topology()::domainOf).toArray();
            isCounted = new boolean[nodes.length];
            for (int i = 0; i < nodes.length; i++) {
                isCounted[i] = counter.eligibility().includes(nodes[i]);
            }
            sums = new int[counter.topology().end()];
            isDomain = new boolean[sums.length];
            for (int domain = 0; domain < sums.length; domain++) {
                sums[domain] = counter.sumOf(domain);
                isDomain[domain] = counter.isCounted(domain);
            }
            domains = counter.countedDomains();
            weights = new int[kinds];
            total = counter.total();
        }

        void add(int kind, int node, int sign) {
            if (weights[kind] != 0 && isCounted[node]) {
                sums[domainOf[node]] += sign * weights[kind];
                fewest = -1;
                total += (long) sign * weights[kind];
            }
        }

        int fewest() {
            if (fewest < 0) {
                fewest = IntStream.range(0, sums.length)
                        .filter(domain -> isDomain[domain])
                        .map(domain -> sums[domain])
                        .min()
                        .orElse(0);
            }
            return fewest;
        }

        /** Pods in the node's domain. */
        int sum(int node) {
            return domainOf[node] == Topology.NO_DOMAIN ? 0 : sums[domainOf[node]];
        }

        /** Pods in the node's domain beside one of this kind on it. */
        int others(int kind, int node) {
            int domain = domainOf[node];
            return domain == Topology.NO_DOMAIN ? 0 : sums[domain] - (isCounted[node] ? weights[kind] : 0);
        }
    }

    /** A spread constraint of some kinds. */
    record SpreadRule(Counter counter, int maxSkew, int minDomains) {
        boolean lacksDomains() {
            return Skew.lacksDomains(counter.domains, minDomains);
        }

        int fewest() {
            return lacksDomains() ? 0 : counter.fewest();
        }
    }

    private record Spreading(SpreadRule rule, int self) {}

    /** The hard constraints of a kind over the counters. */
    private record KindRules(
            List<Spreading> spreads, List<Counter> companions, boolean isItsOwnCompanion, List<Counter> avoided) {}

    final List<Kind> kinds;
    /** Ids of all nodes. */
    final int[] nodes;

    private final ClusterView view;
    private final List<Counter> counters = new ArrayList<>();
    /** The spread constraints that all pods have which they count. */
    final List<SpreadRule> spreadRules = new ArrayList<>();
    /** What counts pods of which no two may be in one domain. */
    final List<Counter> exclusive = new ArrayList<>();

    private final List<KindRules> rules = new ArrayList<>();
    /** By kind and node, whether the node is not what the pod requires; filled in as it is asked. */
    private final byte[][] mismatches;

    final Pod[] pods;
    final int[] kindOf;
    /** By pod, the place of its node among {@link #nodes}. */
    final int[] nodeOf;

    private final int[] places;

    Workload(ClusterView view, List<Kind> kinds) {
        this.view = view;
        this.kinds = kinds;
        NodeSetView present = view.nodes().present();
        nodes = new int[present.size()];
        places = new int[view.nodes().end()];
        Arrays.fill(places, -1);
        int count = 0;
        for (int node = present.first(); node >= 0; node = present.next(node + 1)) {
            places[node] = count;
            nodes[count++] = node;
        }
        mismatches = new byte[kinds.size()][];
        List<Pod> there = new ArrayList<>();
        List<int[]> at = new ArrayList<>();
        for (int kind = 0; kind < kinds.size(); kind++) {
            for (Pod pod : kinds.get(kind).all()) {
                int place = places[view.pods().node(view.pods().find(pod.key()))];
                if (place >= 0) {
                    there.add(pod);
                    at.add(new int[] {kind, place});
                }
            }
        }
        pods = there.toArray(Pod[]::new);
        kindOf = at.stream().mapToInt(pod -> pod[0]).toArray();
        nodeOf = at.stream().mapToInt(pod -> pod[1]).toArray();
        compile();
    }

    String nameOf(int node) {
        return view.nodes().name(nodes[node]);
    }

    /** The place of the node with this id. */
    int placeOf(int id) {
        return places[id];
    }

    /** A pod of the kind on the node, the last by name but so many. */
    int podOf(int kind, int node, int skipped) {
        return IntStream.range(0, pods.length)
                .filter(pod -> kindOf[pod] == kind && nodeOf[pod] == node)
                .boxed()
                .sorted(Comparator.comparing((Integer pod) -> pods[pod].key()).reversed())
                .skip(skipped)
                .findFirst()
                .orElseThrow();
    }

    /** By kind and node, how many pods there are. */
    int[][] podsByKind() {
        int[][] by = new int[kinds.size()][nodes.length];
        for (int pod = 0; pod < pods.length; pod++) {
            by[kindOf[pod]][nodeOf[pod]]++;
        }
        return by;
    }

    interface PodAt {
        void at(int kind, int node);
    }

    void eachOf(IntPredicate someKinds, PodAt action) {
        for (int pod = 0; pod < pods.length; pod++) {
            if (someKinds.test(kindOf[pod])) {
                action.at(kindOf[pod], nodeOf[pod]);
            }
        }
    }

    boolean mayMove(int kind) {
        return kinds.get(kind).mayMove();
    }

    /** Puts the pods back where they were. */
    void restore(int[] before) {
        for (int pod = 0; pod < before.length; pod++) {
            if (nodeOf[pod] != before[pod]) {
                take(kindOf[pod], nodeOf[pod]);
                nodeOf[pod] = before[pod];
                put(kindOf[pod], nodeOf[pod]);
            }
        }
    }

    /** How many pods are in all domains of the node together, by the spread rules. */
    int crowd(int node) {
        int crowd = 0;
        for (int i = 0; i < spreadRules.size(); i++) {
            Counter counter = spreadRules.get(i).counter();
            crowd += counter.isCounted[node] ? counter.sums[counter.domainOf[node]] : 0;
        }
        return crowd;
    }

    private void compile() {
        Map<DomainCounter, Counter> known = new LinkedHashMap<>();
        Map<CarriedTerm, Counter> carried = new LinkedHashMap<>();
        Map<List<Object>, SpreadRule> spreads = new LinkedHashMap<>();
        for (Kind kind : kinds) {
            List<Spreading> own = new ArrayList<>();
            for (Spread spread : kind.rules().spreads()) {
                Counter counter = known.computeIfAbsent(spread.counter(), this::counter);
                SpreadRule rule = spreads.computeIfAbsent(
                        List.of(
                                spread.counter(),
                                spread.constraint().maxSkew(),
                                spread.constraint().minDomains()),
                        _ -> new SpreadRule(
                                counter,
                                spread.constraint().maxSkew(),
                                spread.constraint().minDomains()));
                own.add(new Spreading(
                        rule,
                        spread.constraint().labelSelector().matches(kind.pod().labels()) ? 1 : 0));
            }
            List<Counter> avoided = new ArrayList<>();
            kind.rules()
                    .shunned()
                    .forEach(sought -> avoided.add(known.computeIfAbsent(sought.counter(), this::counter)));
            if (kind.rules().heedsOthers()) {
                for (CarriedTerm term : view.carriedTerms()
                        .matching(kind.pod().namespace(), kind.pod().labels())) {
                    if (term.kind() == CarriedTerm.Kind.REQUIRED_ANTI_AFFINITY) {
                        avoided.add(carried.computeIfAbsent(term, this::counter));
                    }
                }
            }
            List<Sought> companions = kind.rules().companions();
            rules.add(new KindRules(
                    own,
                    companions.stream()
                            .map(sought -> known.computeIfAbsent(sought.counter(), this::counter))
                            .toList(),
                    !companions.isEmpty()
                            && view.selectors()
                                    .selects(
                                            companions.getFirst().group().key(),
                                            kind.pod().namespace(),
                                            kind.pod().labels()),
                    avoided));
        }
        counters.addAll(known.values());
        counters.addAll(carried.values());
        spreads.values().stream().filter(this::isOfAllItCounts).forEach(spreadRules::add);
        counters.stream().filter(this::excludesItsOwn).forEach(exclusive::add);
    }

    private int rowOf(int kind) {
        return view.pods().find(kinds.get(kind).pod().key());
    }

    private Counter counter(DomainCounter counter) {
        Counter made = new Counter(counter, nodes, kinds.size());
        for (int kind = 0; kind < kinds.size(); kind++) {
            made.weights[kind] = view.selectors().isCounted(rowOf(kind), counter.tally()) ? 1 : 0;
        }
        return made;
    }

    private Counter counter(CarriedTerm term) {
        Counter made = new Counter(term.counter(), nodes, kinds.size());
        for (int kind = 0; kind < kinds.size(); kind++) {
            made.weights[kind] = view.carriedTerms().weightOf(rowOf(kind), term);
        }
        return made;
    }

    private boolean isOfAllItCounts(SpreadRule rule) {
        for (int kind = 0; kind < kinds.size(); kind++) {
            if (rule.counter().weights[kind] != 0
                    && !(kinds.get(kind).isJudged() && rules.get(kind).spreads().contains(new Spreading(rule, 1)))) {
                return false;
            }
        }
        return true;
    }

    private boolean excludesItsOwn(Counter counter) {
        boolean any = false;
        for (int kind = 0; kind < kinds.size(); kind++) {
            if (counter.weights[kind] != 0) {
                any = true;
                if (counter.weights[kind] != 1
                        || !kinds.get(kind).isJudged()
                        || !rules.get(kind).avoided().contains(counter)) {
                    return false;
                }
            }
        }
        return any;
    }

    boolean isStrange() {
        return kinds.stream().anyMatch(Kind::isStrange);
    }

    /** Takes a pod of the kind off its node in thought. */
    void take(int kind, int node) {
        for (int i = 0; i < counters.size(); i++) {
            counters.get(i).add(kind, node, -1);
        }
    }

    void put(int kind, int node) {
        for (int i = 0; i < counters.size(); i++) {
            counters.get(i).add(kind, node, 1);
        }
    }

    /** Whether all hard constraints hold of a pod of the kind that is on the node. */
    boolean holds(int kind, int node) {
        if (!kinds.get(kind).isJudged()) {
            return true;
        }
        KindRules of = rules.get(kind);
        for (int i = 0; i < of.spreads().size(); i++) {
            Spreading spreading = of.spreads().get(i);
            Counter counter = spreading.rule().counter();
            if (counter.domainOf[node] == Topology.NO_DOMAIN
                    || (long) counter.others(kind, node)
                                    + spreading.self()
                                    - spreading.rule().fewest()
                            > spreading.rule().maxSkew()) {
                return false;
            }
        }
        for (int i = 0; i < of.avoided().size(); i++) {
            if (of.avoided().get(i).others(kind, node) > 0) {
                return false;
            }
        }
        return hasCompanions(of, kind, node) && matches(kind, node);
    }

    private static boolean hasCompanions(KindRules of, int kind, int node) {
        boolean isFirst = of.isItsOwnCompanion();
        boolean hasAll = true;
        boolean hasKeys = true;
        for (int i = 0; i < of.companions().size(); i++) {
            Counter counter = of.companions().get(i);
            isFirst &= counter.total - (counter.isCounted[node] ? counter.weights[kind] : 0) == 0;
            hasAll &= counter.others(kind, node) > 0;
            hasKeys &= counter.domainOf[node] != Topology.NO_DOMAIN;
        }
        return hasKeys && (hasAll || isFirst);
    }

    /** Whether the node is one that the kind requires. */
    boolean matches(int kind, int node) {
        if (kinds.get(kind).rules().requirement().isUnrestricted()) {
            return true;
        }
        if (mismatches[kind] == null) {
            mismatches[kind] = new byte[nodes.length];
        }
        if (mismatches[kind][node] == 0) {
            mismatches[kind][node] = (byte)
                    (kinds.get(kind).rules().requirement().matches(view.nodes().node(nodes[node])) ? 1 : 2);
        }
        return mismatches[kind][node] == 1;
    }

    /** How many pods' rules do not hold. */
    int violations() {
        int violations = 0;
        for (int pod = 0; pod < pods.length; pod++) {
            violations += holds(kindOf[pod], nodeOf[pod]) ? 0 : 1;
        }
        return violations;
    }

    /** No fewer moves than so many make all rules hold. */
    int need() {
        int need = 0;
        for (int i = 0; i < spreadRules.size(); i++) {
            need = Math.max(need, Levels.of(spreadRules.get(i)).moves());
        }
        for (int i = 0; i < exclusive.size(); i++) {
            int excess = 0;
            for (int sum : exclusive.get(i).sums) {
                excess += Math.max(0, sum - 1);
            }
            need = Math.max(need, excess);
        }
        return need;
    }

    /** The spread rule that needs the most moves, and how; with none where all hold. */
    Optional<Levels> neediest() {
        return spreadRules.stream()
                .map(Levels::of)
                .filter(levels -> levels.moves() > 0)
                .reduce((one, other) -> other.moves() > one.moves() ? other : one);
    }

    /** Whether a pod of the kind that is on the node will never be right there: once all others that may move have gone. */
    boolean isWrongFor(int kind, int node) {
        return kinds.get(kind).isJudged() && isWrongFor(kind, node, counter -> counter.others(kind, node));
    }

    /** @param others how many pods of a counter are in the node's domain beside one of the kind */
    private boolean isWrongFor(int kind, int node, ToIntFunction<Counter> others) {
        KindRules of = rules.get(kind);
        return !matches(kind, node)
                || of.spreads().stream()
                        .anyMatch(spreading -> spreading.rule().counter().domainOf[node] == Topology.NO_DOMAIN)
                || of.companions().stream().anyMatch(counter -> counter.domainOf[node] == Topology.NO_DOMAIN)
                || of.avoided().stream().anyMatch(counter -> others.applyAsInt(counter) > 0);
    }

    /** No moves of pods of these kinds leave fewer violations than others of which the rules can never hold where they are. */
    int wrong(IntPredicate moving) {
        eachOf(moving, this::take);
        int wrong = 0;
        for (int pod = 0; pod < pods.length; pod++) {
            wrong += !moving.test(kindOf[pod]) && isWrongFor(kindOf[pod], nodeOf[pod]) ? 1 : 0;
        }
        eachOf(moving, this::put);
        return wrong;
    }

    /**
     * No moves leave fewer violations: of pods whose rules can never hold where they can be, or of so many alone.
     *
     * @param mayCome by kind and node, whether a pod may come there
     */
    int leastViolations(boolean[][] mayCome) {
        Map<Counter, Integer> unfilled = new HashMap<>();
        boolean[][] mayBe = Arrays.stream(mayCome).map(boolean[]::clone).toArray(boolean[][]::new);
        int[][] pods = podsByKind();
        eachOf(this::mayMove, (kind, node) -> mayBe[kind][node] = true);
        int least = wrong(this::mayMove);
        eachOf(this::mayMove, this::take);
        for (int kind = 0; kind < pods.length; kind++) {
            if (mayMove(kind) && kinds.get(kind).isJudged()) {
                least += Arrays.stream(pods[kind]).sum() - mostRight(kind, pods[kind], mayBe, unfilled);
            }
        }
        eachOf(this::mayMove, this::put);
        return least;
    }

    /** No more pods of the kind than these can be right, wherever the pods go that may move; these are taken off. */
    private int mostRight(int kind, int[] pods, boolean[][] mayBe, Map<Counter, Integer> unfilled) {
        int[] right = IntStream.range(0, nodes.length)
                .filter(node -> mayBe[kind][node] && !isWrongFor(kind, node, counter -> counter.sum(node)))
                .toArray();
        int many = Arrays.stream(pods).sum();
        // others may stay where they are wrong
        int must = Arrays.stream(right).map(node -> pods[node]).sum();
        int most = right.length == 0 ? 0 : many;
        for (Spreading spreading : rules.get(kind).spreads()) {
            int fewest = spreading.rule().lacksDomains()
                    ? 0
                    : unfilled.computeIfAbsent(spreading.rule().counter(), counter -> fewestUnfilled(counter, mayBe));
            long[] room = room(spreading, kind, right, fewest);
            long total = Arrays.stream(room).sum();
            if (total < many) {
                // where a domain has more than it may, all in it are wrong
                most = (int) Math.min(
                        most, must > total ? total - Arrays.stream(room).min().orElse(0) : total);
            }
        }
        return most;
    }

    /** By domain, for how many pods of the kind there is room: domains that no pod can fill keep the others low. */
    private long[] room(Spreading spreading, int kind, int[] right, int fewest) {
        Counter counter = spreading.rule().counter();
        if (spreading.self() != 1
                || counter.weights[kind] != 1
                || fewest == Integer.MAX_VALUE
                || !Arrays.stream(right).allMatch(node -> counter.isCounted[node])) {
            return new long[] {Integer.MAX_VALUE};
        }
        long highest = (long) fewest + spreading.rule().maxSkew();
        return Arrays.stream(right)
                .map(node -> counter.domainOf[node])
                .distinct()
                .mapToLong(domain -> Math.max(0, highest - counter.sums[domain]))
                .toArray();
    }

    /** The smallest sum of a domain to which no pod may come that counts. */
    private int fewestUnfilled(Counter counter, boolean[][] mayBe) {
        boolean[] isFilled = new boolean[counter.sums.length];
        for (int kind = 0; kind < mayBe.length; kind++) {
            for (int node = 0; node < nodes.length && counter.weights[kind] != 0; node++) {
                if (mayBe[kind][node] && counter.isCounted[node]) {
                    isFilled[counter.domainOf[node]] = true;
                }
            }
        }
        return IntStream.range(0, isFilled.length)
                .filter(domain -> counter.isDomain[domain] && !isFilled[domain])
                .map(domain -> counter.sums[domain])
                .min()
                .orElse(Integer.MAX_VALUE);
    }

    /** The levels that domains are to reach so that the fewest pods move: between the lower and the upper all are. */
    record Levels(SpreadRule rule, int lower, int upper, int excess, int lack) {

        boolean counts(int kind) {
            return rule.counter().weights[kind] != 0;
        }

        /** How many pods are in the node's domain; -1 where it is none that counts. */
        int fill(int node) {
            return rule.counter().isCounted[node] ? rule.counter().sums[rule.counter().domainOf[node]] : -1;
        }

        int moves() {
            return Math.max(excess, lack);
        }

        /** Closed form: what is above lower + maxSkew must go, what is below lower must come; the best lower of all. */
        static Levels of(SpreadRule rule) {
            Levels best = at(rule, rule.lacksDomains() ? 0 : rule.fewest());
            while (!rule.lacksDomains() && best.excess() > best.lack()) {
                Levels next = at(rule, best.lower() + 1);
                if (next.moves() >= best.moves()) {
                    break;
                }
                best = next;
            }
            return best;
        }

        private static Levels at(SpreadRule rule, int lower) {
            int upper = lower + rule.maxSkew();
            int excess = 0;
            int lack = 0;
            for (int domain = 0; domain < rule.counter().sums.length; domain++) {
                if (rule.counter().isDomain[domain]) {
                    excess += Math.max(0, rule.counter().sums[domain] - upper);
                    lack += Math.max(0, lower - rule.counter().sums[domain]);
                }
            }
            return new Levels(rule, lower, upper, excess, lack);
        }
    }
}
