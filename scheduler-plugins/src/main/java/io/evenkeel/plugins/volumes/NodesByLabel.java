package io.evenkeel.plugins.volumes;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.counting.DomainCounters;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.Node;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.value.Labels;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The nodes that have a label, by its value, for the keys that somebody has asked about. A volume says by labels which nodes
 * can reach it: in a zone one of thousands does, of a local disk one. So ten thousand volumes of as many nodes cost what those
 * nodes cost, and not each of them a look at every node.
 *
 * <pre>{@code
 * zone in (a, b) and disk in (ssd)      zone: a -> {0, 3}  b -> {1}  c -> {2}      disk: ssd -> {1, 2, 3}
 *                                       {0, 1, 3} and {1, 2, 3}: {1, 3}
 * }</pre>
 */
final class NodesByLabel implements ClusterIndex {
    private final NodeTable nodes;
    private final DomainCounters counters;
    /** For keys that some node has: others have no room here, as there may be thousands in one object. */
    private final Map<String, Values> byKey = new HashMap<>();

    private final NodeSet term = new NodeSet();
    private final NodeSet requirement = new NodeSet();
    private long version;

    /** The values of one label. */
    private static final class Values {
        static final Values NONE = new Values();

        final Map<String, NodeGroup> byValue = new HashMap<>();
        final NodeSet having = new NodeSet();

        void add(int node, Labels labels, String key) {
            int index = labels.find(key);
            if (index >= 0) {
                byValue.computeIfAbsent(labels.valueAt(index), _ -> new NodeGroup())
                        .add(node);
                having.add(node);
            }
        }

        void remove(int node, Labels labels, String key) {
            int index = labels.find(key);
            if (index >= 0) {
                byValue.computeIfPresent(labels.valueAt(index), (_, group) -> {
                    group.remove(node);
                    return group.isEmpty() ? null : group;
                });
                having.remove(node);
            }
        }
    }

    private NodesByLabel(NodeTable nodes, DomainCounters counters) {
        this.nodes = nodes;
        this.counters = counters;
    }

    static NodesByLabel of(ClusterView cluster) {
        return cluster.index(NodesByLabel.class, view -> new NodesByLabel(view.nodes(), view.counters()));
    }

    /** Another number after each change of a node's labels, or of the nodes there are. */
    long version() {
        return version;
    }

    /** Adds the nodes that have the label, whatever its value. */
    void addHaving(String key, NodeSet into) {
        into.addAll(values(key).having);
    }

    void addHaving(String key, String value, NodeSet into) {
        NodeGroup group = values(key).byValue.get(value);
        if (group != null) {
            group.addTo(into);
        }
    }

    /** Makes the set hold the nodes that match the selector, as far as labels go. */
    void select(NodeSelector selector, NodeSet into) {
        into.clear();
        for (int i = 0; i < selector.terms().size(); i++) {
            NodeSelectorTerm each = selector.terms().get(i);
            if (!each.isEmpty() && each.hasReadableFields()) {
                select(each);
                into.addAll(term);
            }
        }
    }

    private void select(NodeSelectorTerm selected) {
        if (selected.matchExpressions().isEmpty()) {
            term.copyFrom(nodes.present());
            return;
        }
        for (int i = 0; i < selected.matchExpressions().size(); i++) {
            select(selected.matchExpressions().get(i));
            if (i == 0) {
                term.copyFrom(requirement);
            } else {
                term.retainAll(requirement);
            }
        }
    }

    private void select(NodeSelectorRequirement selected) {
        requirement.clear();
        if (!selected.isOfLabels()) {
            return;
        }
        if (selected.operator() == Operator.IN) {
            for (int i = 0; i < selected.values().size(); i++) {
                addHaving(selected.key(), selected.values().get(i), requirement);
            }
            return;
        }
        Values values = values(selected.key());
        if (selected.matches(Labels.EMPTY)) {
            requirement.copyFrom(nodes.present());
            requirement.removeAll(values.having);
        }
        values.byValue.forEach((value, group) -> {
            if (selected.matches(Labels.of(selected.key(), value))) {
                group.addTo(requirement);
            }
        });
    }

    private Values values(String key) {
        Values known = byKey.get(key);
        if (known == null && !counters.isOfNodes(key)) {
            return Values.NONE;
        }
        if (known == null) {
            known = new Values();
            byKey.put(key, known);
            for (int node = nodes.present().first();
                    node >= 0;
                    node = nodes.present().next(node + 1)) {
                known.add(node, nodes.node(node).labels(), key);
            }
        }
        return known;
    }

    @Override
    public void nodeChanged(int node, Optional<Node> before, Optional<Node> after) {
        Labels were = before.map(Node::labels).orElse(Labels.EMPTY);
        Labels are = after.map(Node::labels).orElse(Labels.EMPTY);
        if (before.isPresent() == after.isPresent() && were.equals(are)) {
            return;
        }
        version++;
        byKey.forEach((key, values) -> {
            values.remove(node, were, key);
            values.add(node, are, key);
        });
        byKey.values().removeIf(values -> values.having.isEmpty());
    }

    @Override
    public void audit(AuditFacts facts, Differences differences) {
        byKey.forEach((key, values) -> {
            Values anew = new Values();
            facts.nodes().forEach((node, object) -> anew.add(node, object.labels(), key));
            differences.compare(() -> "nodes by " + key, asSets(values), asSets(anew));
            differences.compare(() -> "nodes with " + key, values.having, anew.having);
        });
    }

    private static Map<String, NodeSet> asSets(Values values) {
        Map<String, NodeSet> sets = new TreeMap<>();
        values.byValue.forEach((value, group) -> {
            NodeSet set = new NodeSet();
            group.addTo(set);
            sets.put(value, set);
        });
        return sets;
    }

    /** Some nodes: a list while they are few, as of one host name, else a set, as of a zone. */
    private static final class NodeGroup {
        private static final int FEW = 16;

        private int[] few = {-1};
        private int size;
        private NodeSet many = new NodeSet();

        boolean isEmpty() {
            return size == 0;
        }

        private boolean isSet() {
            return size > FEW;
        }

        void add(int node) {
            if (size == FEW) {
                Arrays.stream(few).forEach(many::add);
            }
            if (size >= FEW) {
                many.add(node);
            } else {
                if (size == few.length) {
                    few = Arrays.copyOf(few, Math.min(FEW, size * 2));
                }
                few[size] = node;
            }
            size++;
        }

        void remove(int node) {
            if (isSet()) {
                many.remove(node);
                size--;
                if (!isSet()) {
                    size = 0;
                    NodeSet rest = many;
                    many = new NodeSet();
                    for (int each = rest.first(); each >= 0; each = rest.next(each + 1)) {
                        few[size++] = each;
                    }
                }
                return;
            }
            int at = 0;
            while (few[at] != node) {
                at++;
            }
            few[at] = few[--size];
        }

        void addTo(NodeSet nodes) {
            if (isSet()) {
                nodes.addAll(many);
                return;
            }
            for (int i = 0; i < size; i++) {
                nodes.add(few[i]);
            }
        }
    }
}
