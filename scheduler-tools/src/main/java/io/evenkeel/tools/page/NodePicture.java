package io.evenkeel.tools.page;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.shape.PodRequests;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Taint;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.why.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * The nodes as the page draws them: by the domains of a label, each with a level. O(nodes); the keys that may be chosen are found again
 * when nodes have changed.
 */
final class NodePicture {
    static final String FULLEST = "fullest";
    private static final String PODS = "pods";
    private static final String WORKLOAD = "workload:";
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final int MOST_SINGLE = 20_000;
    private static final int CELLS = 5_000;
    private static final int MOST_DOMAINS = 200;
    private static final int MOST_KEYS = 20;
    private static final int MOST_PODS = 300;
    private static final int CORDONED = 1;
    private static final int TAINTED = 2;
    private static final int NOT_READY = 4;
    private static final int FULL = 1_000;

    /** The level of a node that offers nothing of it. */
    private static final int NONE = -1;

    private final ClusterView cluster;
    private final NodeTable nodes;
    private final ResourceNames resources;
    private Map<String, Integer> keys = Map.of();
    private long keysOf = -1;

    NodePicture(ClusterView cluster) {
        this.cluster = cluster;
        nodes = cluster.nodes();
        resources = cluster.resources();
    }

    /**
     * The whole picture.
     *
     * @param key empty for the usual one
     * @param colour {@code fullest}, or a resource
     * @param counted pods, of which each node's number is its level in place of a share; empty for none
     * @param changes grows when nodes change
     */
    Tree tree(String key, String colour, Collection<Pod> counted, long changes) {
        if (keysOf != changes) {
            keys = keys();
            keysOf = changes;
        }
        String chosen = key.isEmpty() ? usual() : key;
        int[] ids = IntStream.range(0, nodes.end()).filter(nodes::isPresent).toArray();
        Map<String, Integer> domains = new TreeMap<>();
        for (int id : ids) {
            domainName(id, chosen).ifPresent(name -> domains.put(name, 0));
        }
        List<String> domainNames = List.copyOf(domains.keySet());
        List<Sum> sums = domainNames.stream().map(Sum::new).toList();
        for (int i = 0; i < domainNames.size(); i++) {
            domains.put(domainNames.get(i), i);
        }
        int[] domainOf = Arrays.stream(ids)
                .map(id -> domainName(id, chosen).map(domains::get).orElse(-1))
                .toArray();
        for (int i = 0; i < ids.length; i++) {
            if (domainOf[i] >= 0) {
                sums.get(domainOf[i]).add(ids[i]);
            }
        }
        int[] levels = colour.startsWith(WORKLOAD) ? numbers(ids, counted) : shares(ids, colour);
        Tree tree = new Tree()
                .put("key", chosen)
                .put(
                        "keys",
                        List.copyOf(keys.entrySet()),
                        each -> new Tree().put("key", each.getKey()).put("domains", each.getValue()))
                .put("colour", colour)
                .put("colours", colours())
                .put("unit", colour.startsWith(WORKLOAD) ? PODS : "share")
                .put("domains", sums, Sum::tree);
        if (ids.length > MOST_SINGLE) {
            return tree.put("cells", cells(domains.size(), domainOf, levels));
        }
        Tree single = single(ids, domainOf, levels);
        if (colour.equals(FULLEST)) {
            List<String> names = new ArrayList<>(List.of(PODS));
            IntStream.range(0, resources.end()).mapToObj(resources::nameOf).forEach(names::add);
            tree.put("resources", names);
            single.put(
                    "of", numbers(Arrays.stream(ids).map(this::fullestResource).toArray()));
        }
        return tree.put("nodes", single);
    }

    private Optional<String> domainName(int id, String key) {
        return nodes.node(id).labels().has(key)
                ? Optional.of(nodes.node(id).labels().getOrDefault(key, ""))
                : Optional.empty();
    }

    private String usual() {
        return keys.containsKey(ZONE)
                ? ZONE
                : keys.keySet().stream().findFirst().orElse(ZONE);
    }

    /** Labels that more than one node may share, and by which there are not too many domains to look at. */
    private Map<String, Integer> keys() {
        Map<String, Set<String>> values = new HashMap<>();
        for (int id = 0; id < nodes.end(); id++) {
            if (nodes.isPresent(id)) {
                nodes.node(id).labels().asMap().forEach((key, value) -> {
                    Set<String> known = values.computeIfAbsent(key, _ -> new HashSet<>());
                    if (known.size() <= MOST_DOMAINS) {
                        known.add(value);
                    }
                });
            }
        }
        Map<String, Integer> found = new LinkedHashMap<>();
        values.entrySet().stream()
                .filter(each -> each.getValue().size() <= MOST_DOMAINS)
                .sorted(Comparator.comparing((Map.Entry<String, Set<String>> each) ->
                                !each.getKey().startsWith("topology."))
                        .thenComparing(each -> each.getValue().size() == 1)
                        .thenComparing(Map.Entry::getKey))
                .limit(MOST_KEYS)
                .forEach(each -> found.put(each.getKey(), each.getValue().size()));
        return found;
    }

    private List<String> colours() {
        List<String> colours = new ArrayList<>(List.of(FULLEST));
        IntStream.range(0, resources.end())
                .filter(this::isOffered)
                .mapToObj(resources::nameOf)
                .forEach(colours::add);
        colours.add(PODS);
        return colours;
    }

    private boolean isOffered(int resource) {
        return resources.isCounted(resource)
                && IntStream.range(0, nodes.end())
                        .anyMatch(id -> nodes.isPresent(id) && nodes.allocatable(resource, id) > 0);
    }

    private int[] numbers(int[] ids, Collection<Pod> counted) {
        Map<String, Integer> byNode = new HashMap<>();
        counted.forEach(pod -> byNode.merge(pod.spec().nodeName(), 1, Integer::sum));
        return Arrays.stream(ids)
                .map(id -> byNode.getOrDefault(nodes.name(id), 0))
                .toArray();
    }

    private int[] shares(int[] ids, String colour) {
        int resource = resources.find(colour);
        IntUnaryOperator share = switch (colour) {
            case FULLEST -> this::fullest;
            case PODS -> this::podShare;
            default -> id -> resource < 0 ? NONE : share(resource, id);
        };
        return Arrays.stream(ids).map(share).toArray();
    }

    private int fullest(int id) {
        int resource = fullestResource(id);
        return resource == 0 ? podShare(id) : share(resource - 1, id);
    }

    /** 0 for pods, else one more than the resource. */
    private int fullestResource(int id) {
        int fullest = 0;
        int share = podShare(id);
        for (int resource = 0; resource < resources.end(); resource++) {
            if (share(resource, id) > share) {
                share = share(resource, id);
                fullest = resource + 1;
            }
        }
        return fullest;
    }

    private int podShare(int id) {
        return thousandths(nodes.podCount(id), nodes.allowedPods(id));
    }

    private int share(int resource, int id) {
        return resources.isCounted(resource)
                ? thousandths(nodes.requested(resource, id), nodes.allocatable(resource, id))
                : NONE;
    }

    private static int thousandths(long asked, long offered) {
        return offered <= 0 ? NONE : (int) Math.min(FULL * 10L, Math.round((double) asked / (double) offered * FULL));
    }

    /** What the nodes of a domain have together. */
    private final class Sum {
        private final long[] asked = new long[resources.end()];
        private final long[] offered = new long[resources.end()];
        private final String name;
        private int count;
        private int pods;

        Sum(String name) {
            this.name = name;
        }

        void add(int id) {
            count++;
            pods += nodes.podCount(id);
            for (int resource = 0; resource < asked.length; resource++) {
                if (resources.isCounted(resource)) {
                    asked[resource] += nodes.requested(resource, id);
                    offered[resource] += nodes.allocatable(resource, id);
                }
            }
        }

        Tree tree() {
            return new Tree()
                    .put("name", name)
                    .put("nodes", count)
                    .put("pods", pods)
                    .put("resources", used());
        }

        Map<String, Tree> used() {
            Map<String, Tree> used = new LinkedHashMap<>();
            for (int resource = 0; resource < asked.length; resource++) {
                if (offered[resource] > 0) {
                    String resourceName = resources.nameOf(resource);
                    used.put(resourceName, amounts(resourceName, asked[resource], offered[resource]));
                }
            }
            return used;
        }
    }

    private static Tree amounts(String resource, long asked, long offered) {
        return new Tree()
                .put("asked", ResourceNames.text(resource, asked))
                .put("allocatable", ResourceNames.text(resource, offered))
                .put("share", Math.round((double) asked / (double) offered * FULL) / (double) FULL);
    }

    private Tree single(int[] ids, int[] domainOf, int[] levels) {
        return new Tree()
                .put("name", Arrays.stream(ids).mapToObj(nodes::name).toList())
                .put("domain", numbers(domainOf))
                .put("level", numbers(levels))
                .put("pods", numbers(Arrays.stream(ids).map(nodes::podCount).toArray()))
                .put(
                        "flags",
                        numbers(Arrays.stream(ids)
                                .map(id -> flags(nodes.node(id)))
                                .toArray()));
    }

    /** Several nodes of a domain each, that are about as full. */
    private static Tree cells(int domains, int[] domainOf, int[] levels) {
        List<Integer> ofDomain = new ArrayList<>();
        List<Integer> counts = new ArrayList<>();
        List<Integer> means = new ArrayList<>();
        List<Integer> most = new ArrayList<>();
        int size = Math.ceilDiv(domainOf.length, CELLS);
        for (int domain = -1; domain < domains; domain++) {
            int[] sorted = levelsOf(domain, domainOf, levels);
            for (int end = sorted.length; end > 0; end -= size) {
                int begin = Math.max(0, end - size);
                ofDomain.add(domain);
                counts.add(end - begin);
                means.add((int)
                        Math.round(Arrays.stream(sorted, begin, end).average().orElse(0)));
                most.add(sorted[end - 1]);
            }
        }
        return new Tree()
                .put("domain", ofDomain)
                .put("nodes", counts)
                .put("level", means)
                .put("most", most);
    }

    private static int[] levelsOf(int domain, int[] domainOf, int[] levels) {
        return IntStream.range(0, domainOf.length)
                .filter(i -> domainOf[i] == domain)
                .map(i -> levels[i])
                .sorted()
                .toArray();
    }

    private static Tree.Raw numbers(int[] numbers) {
        return new Tree.Raw(Arrays.toString(numbers).replace(" ", ""));
    }

    private static int flags(Node node) {
        int flags = node.unschedulable() ? CORDONED : 0;
        for (Taint taint : node.taints()) {
            if (taint.effect() != TaintEffect.PREFER_NO_SCHEDULE && !taint.isOfCordon()) {
                flags |= taint.isOfCondition() ? NOT_READY : TAINTED;
            }
        }
        return flags;
    }

    /** One node with its pods, those that ask for most first. */
    Tree node(int id) {
        Node node = nodes.node(id);
        Sum sum = new Sum(node.name());
        sum.add(id);
        Map<String, Tree> used = sum.used();
        if (nodes.allowedPods(id) > 0) {
            used.put("pods", amounts("pods", nodes.podCount(id), nodes.allowedPods(id)));
        }
        List<Pod> pods = new ArrayList<>();
        for (int row = cluster.pods().firstOnNode(id);
                row >= 0;
                row = cluster.pods().nextOnNode(row)) {
            pods.add(cluster.pods().pod(row));
        }
        pods.sort(Comparator.comparing(Pod::key));
        return new Tree()
                .put("name", node.name())
                .put("labels", node.labels().asMap())
                .put("taints", node.taints(), Taint::text)
                .put("cordoned", node.unschedulable())
                .put("ready", (flags(node) & NOT_READY) == 0)
                .put("resources", used)
                .put("pods", pods.subList(0, Math.min(MOST_PODS, pods.size())), this::pod)
                .put("morePods", Math.max(0, pods.size() - MOST_PODS));
    }

    private Tree pod(Pod pod) {
        Workload owner = Workload.of(pod, cluster);
        Map<String, Quantity> asked = PodRequests.at(cluster.featureGates()).of(pod);
        return new Tree()
                .put("pod", pod.key())
                .put("workload", owner.namespace() + "/" + owner.kind() + "/" + owner.name())
                .putPresent("cpu", Optional.ofNullable(asked.get("cpu")).map(Quantity::toString))
                .putPresent("memory", Optional.ofNullable(asked.get("memory")).map(Quantity::toString));
    }
}
