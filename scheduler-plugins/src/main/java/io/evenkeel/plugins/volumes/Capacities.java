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
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.CsiStorageCapacity;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelSelector;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * How large a volume of a class can be made near which nodes, as CSI drivers publish it, from the roomiest down. What was found
 * for a size is kept until some capacity or label changes: the pods of a StatefulSet ask for the same.
 */
final class Capacities implements ClusterIndex {
    private static final int KEPT = 64;
    private static final Comparator<CsiStorageCapacity> ROOMIEST_FIRST = Comparator.comparingLong(Capacities::limit)
            .reversed()
            .thenComparing(capacity -> capacity.meta().key());

    private final ObjectStore objects;
    private final NodeTable nodes;
    private final NodesByLabel labels;
    private final Map<String, NavigableSet<CsiStorageCapacity>> byClass = new HashMap<>();
    private final Map<Asked, NodeSet> kept = new LinkedHashMap<>();
    private final NodeSet reached = new NodeSet();
    private final NodeSet open = new NodeSet();
    private final NodeSet told = new NodeSet();
    private long keptAtLabels;

    private record Asked(String storageClass, long size) {}

    private Capacities(ClusterView cluster) {
        objects = cluster.objects();
        nodes = cluster.nodes();
        labels = NodesByLabel.of(cluster);
    }

    static Capacities of(ClusterView cluster) {
        return cluster.index(Capacities.class, Capacities::new);
    }

    /** Whole bytes: that is what sizes are compared by. */
    private static long limit(CsiStorageCapacity capacity) {
        return capacity.limit().orElseThrow().value();
    }

    boolean suffices(String storageClass, long size, int node) {
        for (CsiStorageCapacity capacity : ofClass(storageClass)) {
            if (limit(capacity) < size) {
                return false;
            }
            if (capacity.nodes()
                    .filter(selector -> selector.matches(nodes.node(node).labels()))
                    .isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** Makes the set the nodes near which there is room for so much. */
    void select(String storageClass, long size, NodeSet into) {
        if (keptAtLabels != labels.version() || kept.size() > KEPT) {
            kept.clear();
            keptAtLabels = labels.version();
        }
        into.copyFrom(kept.computeIfAbsent(new Asked(storageClass, size), this::select));
    }

    /**
     * Tells how much room there is near those of the nodes where a volume of that size can be made and that is told; where several
     * capacities are a node's, by the one that allows the largest volume.
     *
     * @param into the room by node
     * @return where it was told; valid until the next call
     */
    NodeSet roomAt(String storageClass, long size, NodeSetView at, long[] into) {
        open.copyFrom(at);
        told.clear();
        for (CsiStorageCapacity capacity : ofClass(storageClass)) {
            if (limit(capacity) < size || open.isEmpty()) {
                break;
            }
            select(capacity.nodes().orElse(LabelSelector.NOTHING));
            reached.retainAll(open);
            open.removeAll(reached);
            capacity.capacity().ifPresent(room -> {
                told.addAll(reached);
                for (int node = reached.first(); node >= 0; node = reached.next(node + 1)) {
                    into[node] = room.value();
                }
            });
        }
        return told;
    }

    private NodeSet select(Asked asked) {
        NodeSet found = new NodeSet();
        for (CsiStorageCapacity capacity : ofClass(asked.storageClass())) {
            if (limit(capacity) < asked.size()) {
                break;
            }
            select(capacity.nodes().orElse(LabelSelector.NOTHING));
            found.addAll(reached);
        }
        return found;
    }

    private void select(LabelSelector selector) {
        if (selector.matchesEverything()) {
            reached.copyFrom(nodes.present());
        } else {
            labels.select(asNodeSelector(selector), reached);
        }
    }

    private static NodeSelector asNodeSelector(LabelSelector selector) {
        return new NodeSelector(List.of(new NodeSelectorTerm(
                selector.requirements().stream().map(Capacities::asRequirement).toList(), List.of())));
    }

    private static NodeSelectorRequirement asRequirement(LabelRequirement requirement) {
        NodeSelectorRequirement.Operator operator = switch (requirement.operator()) {
            case IN -> NodeSelectorRequirement.Operator.IN;
            case NOT_IN -> NodeSelectorRequirement.Operator.NOT_IN;
            case EXISTS -> NodeSelectorRequirement.Operator.EXISTS;
            case DOES_NOT_EXIST -> NodeSelectorRequirement.Operator.DOES_NOT_EXIST;
        };
        return new NodeSelectorRequirement(requirement.key(), operator, requirement.values());
    }

    private NavigableSet<CsiStorageCapacity> ofClass(String name) {
        return byClass.getOrDefault(name, Collections.emptyNavigableSet());
    }

    @Override
    public void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        before.filter(CsiStorageCapacity.class::isInstance)
                .map(CsiStorageCapacity.class::cast)
                .ifPresent(this::remove);
        after.filter(CsiStorageCapacity.class::isInstance)
                .map(CsiStorageCapacity.class::cast)
                .ifPresent(this::add);
    }

    private void add(CsiStorageCapacity capacity) {
        kept.clear();
        if (capacity.limit().isPresent()) {
            byClass.computeIfAbsent(capacity.storageClass(), _ -> new TreeSet<>(ROOMIEST_FIRST))
                    .add(capacity);
        }
    }

    private void remove(CsiStorageCapacity capacity) {
        kept.clear();
        if (capacity.limit().isPresent()) {
            byClass.computeIfPresent(capacity.storageClass(), (_, capacities) -> {
                capacities.remove(capacity);
                return capacities.isEmpty() ? null : capacities;
            });
        }
    }

    @Override
    public void audit(AuditFacts facts, Differences differences) {
        Map<String, NavigableSet<CsiStorageCapacity>> recounted = new HashMap<>();
        for (CsiStorageCapacity capacity : objects.all(Kinds.CSI_STORAGE_CAPACITY)) {
            if (capacity.limit().isPresent()) {
                recounted
                        .computeIfAbsent(capacity.storageClass(), _ -> new TreeSet<>(ROOMIEST_FIRST))
                        .add(capacity);
            }
        }
        differences.compare(() -> "storage capacities", byClass, recounted);
        kept.forEach((asked, found) -> {
            if (keptAtLabels == labels.version()) {
                differences.compare(() -> "nodes with room for " + asked, found, select(asked));
            }
        });
    }

    @Override
    public void describe(AuditFacts facts, Consumer<String> line) {
        byClass.forEach((name, capacities) -> line.accept("capacities of class \"" + name + "\" "
                + capacities.stream().map(each -> each.meta().key()).toList()));
    }
}
