package io.evenkeel.plugins.volumes;

import static io.evenkeel.plugins.volumes.DiskZones.BETA_REGION;
import static io.evenkeel.plugins.volumes.DiskZones.BETA_ZONE;
import static io.evenkeel.plugins.volumes.DiskZones.BETWEEN_ZONES;
import static io.evenkeel.plugins.volumes.DiskZones.REGION;
import static io.evenkeel.plugins.volumes.DiskZones.ZONE;

import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.storage.PersistentVolume;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The nodes that can reach a volume of a plugin of former Kubernetes, in the words of the driver that stands in for it, which
 * has a label of its own for zones:
 *
 * <pre>
 *   nodeAffinity: topology.kubernetes.io/zone in (a)      topology.ebs.csi.aws.com/zone in (a)
 *   only a label: topology.kubernetes.io/zone=a           topology.ebs.csi.aws.com/zone in (a)
 * </pre>
 */
public final class MigratedTopology {
    private MigratedTopology() {}

    /** Empty where all nodes can. */
    public static Optional<NodeSelector> of(PersistentVolume volume, MigratedPlugin plugin) {
        if (plugin.zoneKey().isEmpty()) {
            return volume.nodes();
        }
        boolean isBeta = isBeta(volume);
        String zone = isBeta ? BETA_ZONE : ZONE;
        if (volume.nodes().filter(nodes -> names(nodes, zone)).isPresent()) {
            return volume.nodes().map(nodes -> renamed(renamed(nodes, zone, plugin.zoneKey()), isBeta));
        }
        List<String> zones = zonesOf(volume, zone);
        Optional<NodeSelector> regional = volume.nodes().map(nodes -> renamed(nodes, isBeta));
        return zones.isEmpty() ? regional : Optional.of(narrowed(regional, plugin.zoneKey(), zones));
    }

    /** Whether the volume says where it is by the labels of old: if the new ones are nowhere and the old ones somewhere. */
    private static boolean isBeta(PersistentVolume volume) {
        if (volume.nodes().filter(nodes -> has(nodes, ZONE)).isPresent()) {
            return false;
        }
        if (volume.nodes().filter(nodes -> has(nodes, BETA_ZONE)).isPresent()) {
            return true;
        }
        return !volume.meta().labels().has(ZONE) && volume.meta().labels().has(BETA_ZONE);
    }

    private static boolean has(NodeSelector nodes, String key) {
        return nodes.terms().stream()
                .flatMap(term -> term.matchExpressions().stream())
                .anyMatch(each -> each.key().equals(key));
    }

    private static boolean names(NodeSelector nodes, String key) {
        return nodes.terms().stream()
                .flatMap(term -> term.matchExpressions().stream())
                .anyMatch(each -> each.key().equals(key) && !each.values().isEmpty());
    }

    private static List<String> zonesOf(PersistentVolume volume, String key) {
        TreeSet<String> zones = new TreeSet<>();
        for (String zone : volume.meta().labels().getOrDefault(key, "").split(BETWEEN_ZONES, -1)) {
            if (!zone.isBlank()) {
                zones.add(zone.strip());
            }
        }
        return List.copyOf(zones);
    }

    /** With the region by its new name, where one is named: one that need only be there keeps its old. */
    private static NodeSelector renamed(NodeSelector nodes, boolean isBeta) {
        return isBeta && names(nodes, BETA_REGION) ? renamed(nodes, BETA_REGION, REGION) : nodes;
    }

    private static NodeSelector renamed(NodeSelector nodes, String from, String to) {
        return new NodeSelector(nodes.terms().stream()
                .map(term -> new NodeSelectorTerm(
                        term.matchExpressions().stream()
                                .map(each -> each.key().equals(from)
                                        ? new NodeSelectorRequirement(to, each.operator(), each.values())
                                        : each)
                                .toList(),
                        term.matchFields()))
                .toList());
    }

    private static NodeSelector narrowed(Optional<NodeSelector> nodes, String key, List<String> zones) {
        NodeSelectorRequirement more = new NodeSelectorRequirement(key, Operator.IN, zones);
        List<NodeSelectorTerm> terms = nodes.map(NodeSelector::terms).orElse(List.of());
        if (terms.isEmpty()) {
            return new NodeSelector(List.of(new NodeSelectorTerm(List.of(more), List.of())));
        }
        return new NodeSelector(terms.stream()
                .map(term -> {
                    List<NodeSelectorRequirement> all = new ArrayList<>(term.matchExpressions());
                    all.add(more);
                    return new NodeSelectorTerm(all, term.matchFields());
                })
                .toList());
    }
}
