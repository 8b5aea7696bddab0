package io.evenkeel.plugins.volumes.binding;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.Differences;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.CsiNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The nodes on which a CSI driver stands in for a plugin of former Kubernetes: there, its volumes are found by other labels. */
final class MigratedNodes implements ClusterIndex {
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
        after.forEach(
                plugin -> byPlugin.computeIfAbsent(plugin, _ -> new NodeSet()).add(node));
    }

    @Override
    public void audit(AuditFacts facts, Differences differences) {
        MigratedNodes anew = new MigratedNodes(nodes, objects);
        facts.nodes()
                .forEach((id, node) -> anew.mark(id, Set.of(), migrated(objects.find(Kinds.CSI_NODE, node.name()))));
        differences.compare(() -> "nodes with migrated plugins", new TreeMap<>(byPlugin), new TreeMap<>(anew.byPlugin));
    }
}
