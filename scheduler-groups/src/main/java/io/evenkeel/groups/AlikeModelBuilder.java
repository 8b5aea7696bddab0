package io.evenkeel.groups;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.shape.ResourceVector;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.groups.AlikeModel.KeyLevel;
import io.evenkeel.groups.AlikeModel.SkewRule;
import io.evenkeel.groups.HardSpreads.HardSpread;
import io.evenkeel.groups.MembersByKind.PodKinds.Kind;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the model of a group of pods with the same hard spread constraints. Its nodes are those on which the filters may
 * let one of the pods; the room on each is what is left there divided by the least that a pod asks for. Only what plugins
 * of the profile enforce goes in, so that the model never forbids what the filters allow.
 */
final class AlikeModelBuilder {
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
            ClusterView cluster, List<Kind> kinds, List<HardSpread> spreads, NodeVerdicts judge, NodeSetView mayFit) {
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
                cluster, kinds, judge, ids.stream().mapToInt(Integer::intValue).toArray());
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
        for (PodAffinityTerm term : pod.shape().affinity().value().affinity().requiredAntiAffinity()) {
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
