package io.evenkeel.groups;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.shape.ResourceVector;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.groups.HardSpreads.HardSpread;
import io.evenkeel.groups.MembersByKind.PodKinds.Kind;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A model of pods that are alike, in numbers: the nodes that may take some with the room on each, and the rules over
 * domains as two chains of keys, each chain from coarse to fine, with the rules over single nodes between them.
 *
 * <pre>{@code
 *   chain                 cells: nodes of        other chain
 *                         the same two domains
 *          zone a ──▶ rack 1 ──▶ {n1, n2} ──▶ row x
 *   all ─▶        ──▶ rack 2 ──▶ {n3}     ──▶ row y ─▶ all
 *          zone b ──▶ rack 3 ──▶ {n4}     ──▶ row x
 * }</pre>
 *
 * <p>Pods are what flows, so a legal end is a flow within the rules' bounds, and there is one if and only if the network has
 * one. A third key that crosses both is no part of the network, but of the {@link #views}, each of which leaves another key
 * out. What the rules do not tell of is left out everywhere, so the model allows at least what the filters allow: what is
 * impossible in it is impossible, and what is possible in it has yet to be tried.
 */
final class AlikeModel {
    final int[] nodes;
    final int[] slots;
    final List<KeyLevel> chain;
    final List<KeyLevel> otherChain;
    final List<KeyLevel> perNode;
    /** Keys that cross both chains. */
    final List<KeyLevel> crossing;
    /** All levels of the network; the rules are numbered in this order. */
    final List<KeyLevel> levels = new ArrayList<>();

    final int[] firstRule;
    final int rules;
    /** By cell: its domain in the finest level of each chain, and its nodes. */
    final int[] cellChain;

    final int[] cellOther;
    final int[][] cellNodes;
    final int[] cellOf;

    /**
     * @param nodes by their ids in the cluster
     * @param slots by node of the model, for how many pods it has room
     */
    AlikeModel(int[] nodes, int[] slots, List<KeyLevel> all) {
        this.nodes = nodes;
        this.slots = slots;
        perNode = all.stream().filter(KeyLevel::isOfSingleNodes).toList();
        List<KeyLevel> coarseFirst = new ArrayList<>(
                all.stream().filter(level -> !level.isOfSingleNodes()).toList());
        coarseFirst.sort((one, two) -> Integer.compare(one.size(), two.size()));
        List<KeyLevel> first = new ArrayList<>();
        List<KeyLevel> second = new ArrayList<>();
        List<KeyLevel> third = new ArrayList<>();
        for (KeyLevel level : coarseFirst) {
            if (first.isEmpty() || level.isFinerThan(first.getLast())) {
                first.add(level);
            } else if (second.isEmpty() || level.isFinerThan(second.getLast())) {
                second.add(level);
            } else {
                third.add(level);
            }
        }
        chain = List.copyOf(first);
        otherChain = List.copyOf(second);
        crossing = List.copyOf(third);
        levels.addAll(chain);
        levels.addAll(otherChain);
        levels.addAll(perNode);
        firstRule = new int[levels.size()];
        int count = 0;
        for (int i = 0; i < levels.size(); i++) {
            firstRule[i] = count;
            count += levels.get(i).rules().size();
        }
        rules = count;
        Map<Long, Integer> cells = HashMap.newHashMap(nodes.length);
        cellOf = new int[nodes.length];
        int[] sizes = new int[nodes.length];
        int[] firsts = new int[nodes.length];
        for (int node = 0; node < nodes.length; node++) {
            long key = finest(chain, node) * (long) sizeOf(otherChain) + finest(otherChain, node);
            int cell = cells.computeIfAbsent(key, _ -> cells.size());
            cellOf[node] = cell;
            firsts[cell] = sizes[cell]++ == 0 ? node : firsts[cell];
        }
        cellChain = new int[cells.size()];
        cellOther = new int[cells.size()];
        cellNodes = new int[cells.size()][];
        for (int cell = 0; cell < cellNodes.length; cell++) {
            cellChain[cell] = finest(chain, firsts[cell]);
            cellOther[cell] = finest(otherChain, firsts[cell]);
            cellNodes[cell] = new int[sizes[cell]];
        }
        for (int node = nodes.length - 1; node >= 0; node--) {
            cellNodes[cellOf[node]][--sizes[cellOf[node]]] = node;
        }
    }

    private static int sizeOf(List<KeyLevel> chain) {
        return chain.isEmpty() ? 1 : chain.getLast().size();
    }

    private static int finest(List<KeyLevel> chain, int node) {
        return chain.isEmpty() ? 0 : chain.getLast().domainOf()[node];
    }

    int size() {
        return nodes.length;
    }

    /** The id of a node in the cluster. */
    int node(int index) {
        return nodes[index];
    }

    int cells() {
        return cellNodes.length;
    }

    /** For how many pods there is room if no rule is in the way. */
    long room() {
        return Arrays.stream(slots).asLongStream().sum();
    }

    @SuppressWarnings("ReferenceEquality") // two levels may have equal parts
    int ruleOf(KeyLevel level) {
        int at = 0;
        while (levels.get(at) != level) {
            at++;
        }
        return firstRule[at];
    }

    /** The minima that each rule by itself lets so many pods lead to, by rule. */
    List<List<Integer>> minima(int pods) {
        List<List<Integer>> minima = new ArrayList<>(rules);
        for (KeyLevel level : levels) {
            for (SkewRule rule : level.rules()) {
                minima.add(rule.minima(pods, level.room()));
            }
        }
        return minima;
    }

    int lowerAt(int node, int[] minima) {
        int lower = 0;
        for (int i = 0; i < perNode.size(); i++) {
            KeyLevel level = perNode.get(i);
            lower = Math.max(
                    lower, level.lower(minima, firstRule[levels.size() - perNode.size() + i], level.domainOf()[node]));
        }
        return lower;
    }

    int upperAt(int node, int[] minima) {
        int upper = slots[node];
        for (int i = 0; i < perNode.size(); i++) {
            KeyLevel level = perNode.get(i);
            upper = Math.min(
                    upper, level.upper(minima, firstRule[levels.size() - perNode.size() + i], level.domainOf()[node]));
        }
        return upper;
    }

    /** Describes a node by the rules and the room, alike for nodes that they do not tell apart. */
    List<Integer> looksOf(int node) {
        List<Integer> looks = new ArrayList<>();
        looks.add(slots[node]);
        for (List<KeyLevel> some : List.of(levels, crossing)) {
            for (KeyLevel level : some) {
                int domain = level.domainOf()[node];
                if (level.isOfSingleNodes()) {
                    level.rules().forEach(rule -> looks.add(rule.counted()[domain] ? rule.existing()[domain] : -1));
                } else {
                    looks.add(domain);
                }
            }
        }
        return looks;
    }

    /** Whether it has keys that its network knows nothing of, so that few of the network's ends are legal. */
    boolean hasCrossingKeys() {
        return !crossing.isEmpty();
    }

    /** The model itself, and where more keys cross than two, the models with the others in their networks. */
    List<AlikeModel> views() {
        if (crossing.isEmpty()) {
            return List.of(this);
        }
        List<AlikeModel> views = new ArrayList<>();
        views.add(this);
        for (KeyLevel left : levels) {
            if (!left.isOfSingleNodes()) {
                List<KeyLevel> others = new ArrayList<>(levels);
                others.remove(left);
                others.addAll(crossing);
                views.add(new AlikeModel(nodes, slots, others));
            }
        }
        return views;
    }

    AlikeModel keeping(Predicate<SkewRule> isKept) {
        List<KeyLevel> fewer = new ArrayList<>();
        for (KeyLevel level : levels) {
            List<SkewRule> kept = level.rules().stream().filter(isKept).toList();
            if (!kept.isEmpty()) {
                fewer.add(level.keeping(kept));
            }
        }
        return new AlikeModel(nodes, slots, fewer);
    }

    /**
     * The domains of one topology key as the model of a group sees them, and the rules over them.
     *
     * @param names by domain
     * @param domainOf by node of the model
     * @param room by domain, for how many pods of the group its nodes have room
     * @param isOfSingleNodes whether no two nodes of the model share a domain
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by identity
    record KeyLevel(
            String key, String[] names, int[] domainOf, List<SkewRule> rules, int[] room, boolean isOfSingleNodes) {
        KeyLevel keeping(List<SkewRule> kept) {
            return new KeyLevel(key, names, domainOf, kept, room, isOfSingleNodes);
        }

        int size() {
            return names.length;
        }

        int lower(int[] minima, int firstRule, int domain) {
            int lower = 0;
            for (int i = 0; i < rules.size(); i++) {
                lower = Math.max(lower, rules.get(i).lower(minima[firstRule + i], domain));
            }
            return lower;
        }

        int upper(int[] minima, int firstRule, int domain) {
            int upper = room[domain];
            for (int i = 0; i < rules.size(); i++) {
                upper = Math.min(upper, rules.get(i).upper(minima[firstRule + i], domain));
            }
            return upper;
        }

        /** Whether nodes that share a domain here share one there too. */
        boolean isFinerThan(KeyLevel other) {
            int[] theirs = new int[size()];
            Arrays.fill(theirs, -1);
            for (int node = 0; node < domainOf.length; node++) {
                int mine = domainOf[node];
                if (theirs[mine] >= 0 && theirs[mine] != other.domainOf[node]) {
                    return false;
                }
                theirs[mine] = other.domainOf[node];
            }
            return true;
        }
    }

    /**
     * The numbers that one constraint allows in the domains of its key.
     *
     * <p>If the emptiest domain holds m pods in the end, a domain that holds e already gets at least m − e and, if it gets any,
     * at most m + maxSkew − e. That is necessary for each legal end: the last pod that came into a domain came while it held
     * fewer than the minimum of then plus maxSkew, and the minimum only rises. And with these bounds for any m the end is legal.
     *
     * @param maxSkew or {@link #UNBOUNDED}
     * @param fromZero whether the minimum counts as 0, as there are fewer domains than minDomains
     * @param most how many of the group a domain takes whatever the others hold: 1 where they keep away from each other
     * @param counted by domain, whether it counts for the minimum
     * @param existing by domain, how many pods it holds already
     * @param words for people
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by identity
    record SkewRule(int maxSkew, boolean fromZero, int most, boolean[] counted, int[] existing, String words) {
        static final int UNBOUNDED = Integer.MAX_VALUE;

        int lower(int minimum, int domain) {
            return fromZero || !counted[domain] ? 0 : Math.max(0, minimum - existing[domain]);
        }

        int upper(int minimum, int domain) {
            if (maxSkew == UNBOUNDED || !counted[domain]) {
                return most;
            }
            return Math.clamp((long) minimum + maxSkew - existing[domain], 0, most);
        }

        boolean hasMinimum() {
            return maxSkew != UNBOUNDED && !fromZero;
        }

        /**
         * The minima that so many pods can lead to as far as this rule and the room in each domain go: for the others either
         * some domain has too little room, or all together must take more, or may take less. None is the proof that so
         * many cannot be placed.
         */
        List<Integer> minima(int pods, int[] room) {
            List<Integer> possible = new ArrayList<>();
            for (int minimum = 0; ; minimum++) {
                long atLeast = 0;
                long atMost = 0;
                for (int domain = 0; domain < room.length; domain++) {
                    int lower = lower(minimum, domain);
                    if (lower > room[domain]) {
                        return possible;
                    }
                    atLeast += lower;
                    atMost += Math.min(upper(minimum, domain), room[domain]);
                }
                if (atLeast > pods) {
                    return possible;
                }
                if (atMost >= pods) {
                    possible.add(minimum);
                }
                if (!hasMinimum() || minimum > pods + highest()) {
                    return possible;
                }
            }
        }

        private int highest() {
            int highest = 0;
            for (int existingIn : existing) {
                highest = Math.max(highest, existingIn);
            }
            return highest;
        }
    }

    /**
     * Makes the model of a group of pods with the same hard spread constraints. Its nodes are those on which the filters may
     * let one of the pods; the room on each is what is left there divided by the least that a pod asks for. Only what plugins
     * of the profile enforce goes in, so that the model never forbids what the filters allow.
     */
    static final class AlikeModelBuilder {
        /** Room beyond that of the group is of interest only as far as a certificate tells how many more would do. */
        private static final int MORE_THAN_ASKED_FOR = Reach.FURTHEST_NUMBER;

        private final ClusterView cluster;
        private final List<Kind> kinds;
        private final NodeVerdicts judge;
        private final int[] nodes;
        private final int[] slots;
        private final Map<String, DomainsOfKey> keys = new LinkedHashMap<>();

        /** The domains of a key by value, and the rules so far. */
        private static final class DomainsOfKey {
            final Map<String, Integer> ids = new LinkedHashMap<>();
            final int[] domainOf;
            final List<Pending> rules = new ArrayList<>();

            DomainsOfKey(int nodes) {
                domainOf = new int[nodes];
            }

            int id(String value) {
                return ids.computeIfAbsent(value, _ -> ids.size());
            }
        }

        /** A rule as long as not all domains of its key are known. */
        private record Pending(int maxSkew, boolean fromZero, int most, Map<Integer, Integer> existing, String words) {
            SkewRule over(int domains) {
                boolean[] counted = new boolean[domains];
                int[] before = new int[domains];
                existing.forEach((domain, count) -> {
                    counted[domain] = true;
                    before[domain] = count;
                });
                return new SkewRule(maxSkew, fromZero, most, counted, before, words);
            }
        }

        private AlikeModelBuilder(ClusterView cluster, List<Kind> kinds, NodeVerdicts judge, int[] nodes) {
            this.cluster = cluster;
            this.kinds = kinds;
            this.judge = judge;
            this.nodes = nodes;
            this.slots = new int[nodes.length];
        }

        /**
         * The model of kinds of pods that all have these constraints and are spread by them.
         *
         * @param mayFit where some of the pods fit or may fit
         */
        static AlikeModel build(
                ClusterView cluster,
                List<Kind> kinds,
                List<HardSpread> spreads,
                NodeVerdicts judge,
                NodeSetView mayFit) {
            List<Integer> ids = new ArrayList<>();
            for (int node = mayFit.first(); node >= 0; node = mayFit.next(node + 1)) {
                int candidate = node;
                // a constraint that does not count its own pods says the same of a node before and after them
                if (spreads.stream()
                        .noneMatch(spread -> !spread.countsItself()
                                && spread.fillOf(candidate) > spread.mostBesideOneThatDoesNotCount())) {
                    ids.add(node);
                }
            }
            AlikeModelBuilder builder = new AlikeModelBuilder(
                    cluster,
                    kinds,
                    judge,
                    ids.stream().mapToInt(Integer::intValue).toArray());
            builder.fillSlots();
            spreads.stream().filter(HardSpread::countsItself).forEach(builder::addSpread);
            if (kinds.size() == 1 && judge.askPlugin(NodeVerdicts.AFFINITY)) {
                builder.addAntiAffinity(kinds.getFirst().first());
            }
            return builder.model();
        }

        private void fillSlots() {
            int pods = kinds.stream().mapToInt(Kind::size).sum();
            boolean onlyOne = judge.askPlugin(NodeVerdicts.PORTS) && allWantTheSamePorts();
            ResourceVector requests =
                    kinds.getFirst().first().shape().resources().value().requests();
            NodeTable table = cluster.nodes();
            boolean podsAreLimited = judge.askPlugin(NodeVerdicts.RESOURCES);
            long[] leasts = new long[requests.size()];
            for (int j = 0; j < leasts.length; j++) {
                boolean limited = judge.limit(cluster.resources().nameOf(requests.resourceAt(j)));
                leasts[j] = limited ? leastOf(requests.resourceAt(j)) : 0;
            }
            for (int i = 0; i < nodes.length; i++) {
                long room = onlyOne ? 1 : pods + MORE_THAN_ASKED_FOR;
                if (podsAreLimited) {
                    room = Math.min(room, table.allowedPods(nodes[i]) - table.podCount(nodes[i]));
                }
                for (int j = 0; j < leasts.length; j++) {
                    int resource = requests.resourceAt(j);
                    long least = leasts[j];
                    long offered = table.allocatable(resource, nodes[i]);
                    // what a node does not offer itself may come from elsewhere, as with devices
                    if (least > 0 && offered > 0) {
                        room = Math.min(room, (offered - table.requested(resource, nodes[i])) / least);
                    }
                }
                slots[i] = (int) Math.max(0, room);
            }
        }

        private boolean allWantTheSamePorts() {
            var ports = kinds.getFirst().first().shape().hostPorts();
            return !ports.value().isEmpty()
                    && kinds.stream().allMatch(kind -> kind.first().shape().hostPorts() == ports);
        }

        private long leastOf(int resource) {
            return kinds.stream()
                    .mapToLong(kind ->
                            kind.first().shape().resources().value().requests().amountOf(resource))
                    .min()
                    .orElse(0);
        }

        /** Nothing is said by a constraint that does not count a node on which its pods may go. */
        private void addSpread(HardSpread spread) {
            for (int node : nodes) {
                if (!spread.counter().eligibility().includes(node)) {
                    return;
                }
            }
            Topology topology = spread.counter().topology();
            DomainsOfKey domains = domainsOf(spread.constraint().topologyKey());
            Map<Integer, Integer> existing = new LinkedHashMap<>();
            for (int domain = 0; domain < topology.end(); domain++) {
                if (spread.counter().isCounted(domain)) {
                    existing.put(
                            domains.id(topology.value(domain)), spread.counter().sumOf(domain));
                }
            }
            int maxSkew = spread.constraint().maxSkew();
            domains.rules.add(new Pending(
                    maxSkew,
                    spread.isMeasuredFromZero(),
                    Integer.MAX_VALUE,
                    existing,
                    "maxSkew " + maxSkew + " over "
                            + CertificateWords.plural(spread.constraint().topologyKey())));
        }

        /** Pods that keep away from their own kind: one a domain. Where some node has no domain, nothing is said. */
        private void addAntiAffinity(PodInfo pod) {
            String namespace = pod.pod().namespace();
            for (PodAffinityTerm term :
                    pod.shape().affinity().value().affinity().requiredAntiAffinity()) {
                boolean isInOwnNamespace =
                        term.namespaces().isEmpty() && term.namespaceSelector().matchesNothing();
                boolean isAboutItself = term.labelSelector().matches(pod.pod().labels())
                        && (isInOwnNamespace || term.namespaces().contains(namespace));
                if (isAboutItself
                        && Arrays.stream(nodes).allMatch(node -> labels(node).has(term.topologyKey()))) {
                    domainsOf(term.topologyKey())
                            .rules
                            .add(new Pending(
                                    SkewRule.UNBOUNDED,
                                    true,
                                    1,
                                    Map.of(),
                                    "anti-affinity over " + CertificateWords.plural(term.topologyKey())));
                }
            }
        }

        private DomainsOfKey domainsOf(String key) {
            return keys.computeIfAbsent(key, _ -> {
                DomainsOfKey domains = new DomainsOfKey(nodes.length);
                for (int i = 0; i < nodes.length; i++) {
                    domains.domainOf[i] = domains.id(labels(nodes[i]).getOrDefault(key, ""));
                }
                return domains;
            });
        }

        private Labels labels(int node) {
            return cluster.nodes().node(node).labels();
        }

        private AlikeModel model() {
            List<KeyLevel> levels = new ArrayList<>();
            keys.forEach((key, domains) -> {
                int size = domains.ids.size();
                int[] nodesIn = new int[size];
                int[] room = new int[size];
                for (int i = 0; i < nodes.length; i++) {
                    nodesIn[domains.domainOf[i]]++;
                    room[domains.domainOf[i]] += slots[i];
                }
                levels.add(new KeyLevel(
                        key,
                        domains.ids.keySet().toArray(String[]::new),
                        domains.domainOf,
                        domains.rules.stream().map(rule -> rule.over(size)).toList(),
                        room,
                        Arrays.stream(nodesIn).allMatch(count -> count <= 1)));
            });
            return new AlikeModel(nodes, slots, levels);
        }
    }
}
