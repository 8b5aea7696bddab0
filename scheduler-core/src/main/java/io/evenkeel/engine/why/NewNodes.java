package io.evenkeel.engine.why;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.NodeAdded;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Taint;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Nodes that somebody may think of adding: one more like each sort of node that there is, and like the smallest of them in
 * each domain that the pod's rules speak of, or in a new one. A new node comes without pods, cordon and the taints of a node
 * that is not well.
 */
final class NewNodes {
    private static final int MOST_SORTS = 12;
    private static final int MOST_SORTS_MOVED = 3;
    private static final int MOST_DOMAINS = 16;
    private static final int MOST_ALIKE = 8;

    /** A sort of nodes, by all that tells sorts apart: hardly a label but the host name is a node's own. */
    private record Sort(
            Labels labels, List<Taint> taints, Map<String, Quantity> allocatable, Map<String, Integer> volumeLimits) {}

    private final ClusterView cluster;
    private final List<Node> sorts;

    NewNodes(ClusterView cluster) {
        this.cluster = cluster;
        Map<Sort, Node> first = new LinkedHashMap<>();
        for (int node = 0; node < cluster.nodes().end(); node++) {
            if (cluster.nodes().isPresent(node)) {
                Node there = cluster.nodes().node(node);
                first.merge(
                        new Sort(
                                there.labels().retain(key -> !key.equals(Node.HOSTNAME)),
                                lasting(there),
                                there.allocatable(),
                                volumeLimits(there)),
                        there,
                        (one, other) -> one.name().compareTo(other.name()) <= 0 ? one : other);
            }
        }
        sorts = first.values().stream()
                .sorted(Comparator.comparing((Node node) -> amount(node, "cpu"))
                        .thenComparing(node -> amount(node, "memory"))
                        .thenComparing(Node::name))
                .toList();
    }

    private Map<String, Integer> volumeLimits(Node node) {
        return cluster.objects()
                .find(Kinds.CSI_NODE, node.name())
                .map(CsiNode::limits)
                .orElse(Map.of());
    }

    private static Quantity amount(Node node, String resource) {
        return node.allocatable().getOrDefault(resource, Quantity.ZERO);
    }

    private static List<Taint> lasting(Node node) {
        return node.taints().stream().filter(taint -> !taint.isOfCondition()).toList();
    }

    /** Like those there are; where there are many sorts, the smallest and the greatest and some between. */
    List<NodeAdded> alike() {
        int most = Math.min(MOST_SORTS, sorts.size());
        List<NodeAdded> nodes = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            Node like = sorts.get(most == 1 ? 0 : i * (sorts.size() - 1) / (most - 1));
            nodes.add(NodeAdded.like(like.name(), copy(like).build(), "", cluster));
        }
        return nodes;
    }

    /** Returns new nodes in each of the domains that the pod's rules speak of. */
    List<NodeAdded> elsewhere(Pod pod) {
        List<NodeAdded> nodes = new ArrayList<>();
        for (String key : keysOf(pod)) {
            for (String domain : domains(key)) {
                for (Node like : sorts.subList(0, Math.min(MOST_SORTS_MOVED, sorts.size()))) {
                    if (!like.labels().has(key, domain)) {
                        nodes.add(labelled(like, Labels.of(key, domain)));
                    }
                }
            }
        }
        return nodes;
    }

    /** Returns new nodes with other labels; they are labels of existing nodes. */
    List<NodeAdded> labelled(List<Labels> some) {
        List<NodeAdded> nodes = new ArrayList<>();
        for (Labels labels : some) {
            for (Node like : sorts.subList(0, Math.min(MOST_SORTS_MOVED, sorts.size()))) {
                nodes.add(labelled(like, labels));
            }
        }
        return nodes;
    }

    private NodeAdded labelled(Node like, Labels labels) {
        NodeBuilder node = copy(like);
        List<String> where = new ArrayList<>();
        labels.asMap().forEach((key, value) -> {
            if (!like.labels().has(key, value)) {
                node.label(key, value);
                where.add(key + "=" + value);
            }
        });
        return NodeAdded.like(
                like.name(), node.build(), where.isEmpty() ? "" : "with " + String.join(" and ", where), cluster);
    }

    /** Returns so many of one sort; some may turn out to be too many. */
    List<Change> several(NodeAdded one) {
        List<Change> nodes = new ArrayList<>(List.of(one));
        for (int number = 2; nodes.size() < MOST_ALIKE; number++) {
            String name = one.node().name() + "-" + number;
            if (isKnown(name)) {
                continue;
            }
            NodeBuilder next = NodeBuilder.from(one.node()).name(name);
            nodes.add(NodeAdded.like(
                    one.like(),
                    one.node().labels().has(Node.HOSTNAME) ? next.hostname(name).build() : next.build(),
                    one.where(),
                    cluster));
        }
        return nodes;
    }

    private NodeBuilder copy(Node like) {
        return NodeBuilder.copy(like, this::isKnown);
    }

    /** Whether there is such a node, or pods that wait for it to come back: those would be on the new one. */
    private boolean isKnown(String name) {
        return cluster.nodes().find(name) >= 0;
    }

    private static Set<String> keysOf(Pod pod) {
        Set<String> keys = new LinkedHashSet<>();
        pod.spec().topologySpread().stream()
                .filter(TopologySpreadConstraint::isHard)
                .map(TopologySpreadConstraint::topologyKey)
                .forEach(keys::add);
        Stream.concat(
                        pod.spec().podAffinity().requiredAffinity().stream(),
                        pod.spec().podAffinity().requiredAntiAffinity().stream())
                .map(PodAffinityTerm::topologyKey)
                .forEach(keys::add);
        keys.remove(Node.HOSTNAME);
        return keys;
    }

    /** Returns the domains that there are, and a new one, unless there are too many to try. */
    private List<String> domains(String key) {
        Set<String> domains = new TreeSet<>();
        for (int node = 0; node < cluster.nodes().end(); node++) {
            if (cluster.nodes().isPresent(node)) {
                Labels labels = cluster.nodes().node(node).labels();
                if (labels.has(key)) {
                    domains.add(labels.getOrDefault(key, ""));
                }
            }
        }
        List<String> some = new ArrayList<>(domains.stream().limit(MOST_DOMAINS).toList());
        some.add(unused(key.substring(key.lastIndexOf('/') + 1), domains));
        return some;
    }

    private static String unused(String name, Set<String> used) {
        String free = "new-" + name;
        while (used.contains(free)) {
            free = "new-" + free;
        }
        return free;
    }
}
