package io.evenkeel.plugins.volumes;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.storage.StorageClass.TopologyTerm;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which nodes can reach a volume, and near which ones volumes of a class can be made: for all at once, and for one. Nodes are
 * told by their labels alone, as everywhere where volumes are bound: a field that a volume names, such as a node's name, counts
 * for nothing.
 */
final class Reach {
    private final NodeTable nodes;
    private final NodesByLabel labels;
    private final MigratedNodes migrated;
    private final NodeSet translated = new NodeSet();

    Reach(ClusterView cluster) {
        nodes = cluster.nodes();
        labels = NodesByLabel.of(cluster);
        migrated = MigratedNodes.of(cluster);
    }

    /** Makes the set the nodes that can reach a volume which is still to be bound. */
    void select(PersistentVolume volume, NodeSet into) {
        select(volume.nodes(), into);
    }

    boolean includes(PersistentVolume volume, int node) {
        return includes(volume.nodes(), node);
    }

    /** Selects for a bound one: where a driver stands in for its plugin, the driver's labels count. */
    void selectBound(PersistentVolume volume, NodeSet into) {
        select(volume, into);
        Optional<MigratedPlugin> plugin = MigratedPlugin.of(volume.source());
        if (plugin.isPresent()) {
            NodeSetView drivers = migrated.of(plugin.get().pluginName());
            if (!drivers.isEmpty()) {
                into.removeAll(drivers);
                select(plugin.get().nodesOf(volume), translated);
                translated.retainAll(drivers);
                into.addAll(translated);
            }
        }
    }

    boolean includesBound(PersistentVolume volume, int node) {
        Optional<NodeSelector> reaching = MigratedPlugin.of(volume.source())
                .filter(plugin -> migrated.of(plugin.pluginName()).contains(node))
                .map(plugin -> plugin.nodesOf(volume))
                .orElseGet(volume::nodes);
        return includes(reaching, node);
    }

    /** Makes the set the nodes near which volumes of the class may be made. */
    void select(StorageClass storageClass, NodeSet into) {
        if (storageClass.allowedTopologies().isEmpty()) {
            into.copyFrom(nodes.present());
        } else {
            labels.select(asSelector(storageClass.allowedTopologies()), into);
        }
    }

    boolean includes(StorageClass storageClass, int node) {
        return TopologyTerm.anyHolds(
                storageClass.allowedTopologies(), nodes.node(node).labels());
    }

    /** Returns them as labels of nodes; all have some. */
    static NodeSelector asSelector(List<TopologyTerm> terms) {
        return new NodeSelector(terms.stream()
                .map(term -> new NodeSelectorTerm(
                        term.requirements().stream()
                                .map(each -> new NodeSelectorRequirement(each.key(), Operator.IN, each.values()))
                                .toList(),
                        List.of()))
                .toList());
    }

    private void select(Optional<NodeSelector> reaching, NodeSet into) {
        if (reaching.isPresent()) {
            labels.select(reaching.get(), into);
        } else {
            into.copyFrom(nodes.present());
        }
    }

    private boolean includes(Optional<NodeSelector> reaching, int node) {
        return reaching.isEmpty()
                || reaching.get().matchesLabels(nodes.node(node).labels());
    }

    /** The nodes on which a CSI driver stands in for a plugin of former Kubernetes: there, its volumes are found by other labels. */
    private static final class MigratedNodes implements ClusterIndex {
        private final NodeTable nodes;
        private final ObjectStore objects;
        private final Map<String, NodeSet> byPlugin = new HashMap<>();

        private MigratedNodes(NodeTable nodes, ObjectStore objects) {
            this.nodes = nodes;
            this.objects = objects;
        }

        static MigratedNodes of(ClusterView cluster) {
            return cluster.index(MigratedNodes.class, view -> new MigratedNodes(view.nodes(), view.objects()));
        }

        NodeSetView of(String plugin) {
            NodeSet known = byPlugin.get(plugin);
            return known == null ? NodeSetView.NONE : known;
        }

        @Override
        public void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
            if (after.or(() -> before).orElseThrow() instanceof CsiNode csiNode) {
                int node = nodes.findPresent(csiNode.meta().name());
                if (node >= 0) {
                    mark(node, migrated(before.map(CsiNode.class::cast)), migrated(after.map(CsiNode.class::cast)));
                }
            }
        }

        @Override
        public void nodeChanged(int node, Optional<Node> before, Optional<Node> after) {
            if (before.isPresent() != after.isPresent()) {
                String name = after.or(() -> before).orElseThrow().name();
                Set<String> plugins = migrated(objects.find(Kinds.CSI_NODE, name));
                mark(node, after.isPresent() ? Set.of() : plugins, after.isPresent() ? plugins : Set.of());
            }
        }

        private static Set<String> migrated(Optional<CsiNode> csiNode) {
            return csiNode.map(CsiNode::migratedPlugins).orElse(Set.of());
        }

        private void mark(int node, Set<String> before, Set<String> after) {
            for (String plugin : before) {
                byPlugin.computeIfPresent(plugin, (_, marked) -> {
                    marked.remove(node);
                    return marked.isEmpty() ? null : marked;
                });
            }
            after.forEach(plugin ->
                    byPlugin.computeIfAbsent(plugin, _ -> new NodeSet()).add(node));
        }

        @Override
        public void audit(AuditFacts facts, Differences differences) {
            MigratedNodes anew = new MigratedNodes(nodes, objects);
            facts.nodes()
                    .forEach(
                            (id, node) -> anew.mark(id, Set.of(), migrated(objects.find(Kinds.CSI_NODE, node.name()))));
            differences.compare(
                    () -> "nodes with migrated plugins", new TreeMap<>(byPlugin), new TreeMap<>(anew.byPlugin));
        }
    }
}
