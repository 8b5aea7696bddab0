package io.evenkeel.plugins.volumes;

import static io.evenkeel.plugins.volumes.DiskZones.BETA_REGION;
import static io.evenkeel.plugins.volumes.DiskZones.BETA_ZONE;
import static io.evenkeel.plugins.volumes.DiskZones.BETWEEN_ZONES;
import static io.evenkeel.plugins.volumes.DiskZones.REGION;
import static io.evenkeel.plugins.volumes.DiskZones.ZONE;

import io.evenkeel.model.PodVolume;
import io.evenkeel.model.PodVolume.Source;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.VolumeSource;
import io.evenkeel.model.storage.VolumeSource.Csi;
import io.evenkeel.model.storage.VolumeSource.Migrated;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The plugins of former Kubernetes that CSI drivers stand in for, by which volumes are made, found and attached today. */
enum MigratedPlugin {
    AWS_DISK(
            Source.AWS_ELASTIC_BLOCK_STORE,
            "kubernetes.io/aws-ebs",
            "ebs.csi.aws.com",
            "topology.ebs.csi.aws.com/zone"),
    GCE_DISK(Source.GCE_PERSISTENT_DISK, "kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "topology.gke.io/zone"),
    AZURE_DISK(Source.AZURE_DISK, "kubernetes.io/azure-disk", "disk.csi.azure.com", ""),
    CINDER(Source.CINDER, "kubernetes.io/cinder", "cinder.csi.openstack.org", "topology.cinder.csi.openstack.org/zone"),
    PORTWORX(Source.PORTWORX_VOLUME, "kubernetes.io/portworx-volume", "pxd.portworx.com", "");

    private static final Map<Source, MigratedPlugin> BY_SOURCE = new EnumMap<>(Source.class);
    private static final Map<String, MigratedPlugin> BY_NAME = new HashMap<>();

    static {
        Arrays.stream(values()).forEach(plugin -> {
            BY_SOURCE.put(plugin.source, plugin);
            BY_NAME.put(plugin.pluginName, plugin);
        });
    }

    private final Source source;
    private final String pluginName;
    private final String driver;
    /** The label by which the driver tells zones apart; empty where it does not. */
    private final String zoneKey;

    MigratedPlugin(Source source, String pluginName, String driver, String zoneKey) {
        this.source = source;
        this.pluginName = pluginName;
        this.driver = driver;
        this.zoneKey = zoneKey;
    }

    /** By the name that CSINodes and storage classes have for it, such as {@code kubernetes.io/aws-ebs}. */
    String pluginName() {
        return pluginName;
    }

    /** The plugin of a volume's source; none stands in for two of the sources, as far as the scheduler goes. */
    static Optional<MigratedPlugin> of(VolumeSource source) {
        return source instanceof Migrated migrated
                ? Optional.ofNullable(BY_SOURCE.get(migrated.plugin()))
                : Optional.empty();
    }

    /** The driver that makes the volumes of a class, where that names a plugin of former days. */
    static String driverOf(String provisioner) {
        MigratedPlugin plugin = BY_NAME.get(provisioner);
        return plugin == null ? provisioner : plugin.driver;
    }

    /** The volume as a CSI driver knows it; empty where none does. */
    static Optional<Csi> csi(PersistentVolume volume) {
        return switch (volume.source()) {
            case Csi csi -> Optional.of(csi);
            case Migrated migrated -> of(migrated).flatMap(plugin -> plugin.csi(migrated.id(), DiskZones.of(volume)));
            case VolumeSource.Other _ -> Optional.empty();
        };
    }

    /** The volume of a pod that has it without a claim. */
    static Optional<Csi> csi(PodVolume volume) {
        MigratedPlugin plugin = BY_SOURCE.get(volume.source());
        return plugin == null ? Optional.empty() : plugin.csi(volume.id(), "");
    }

    private Optional<Csi> csi(String id, String zones) {
        Optional<String> handle = switch (this) {
            case AWS_DISK -> DiskZones.awsHandle(id);
            case GCE_DISK -> DiskZones.gceHandle(id, zones);
            case AZURE_DISK, CINDER, PORTWORX -> Optional.of(id);
        };
        return handle.filter(text -> !text.isEmpty()).map(text -> new Csi(driver, text));
    }

    /**
     * The nodes that can reach a volume of a plugin of former Kubernetes, in the words of the driver that stands in for it, which
     * has a label of its own for zones:
     *
     * <pre>
     *   nodeAffinity: topology.kubernetes.io/zone in (a)      topology.ebs.csi.aws.com/zone in (a)
     *   only a label: topology.kubernetes.io/zone=a           topology.ebs.csi.aws.com/zone in (a)
     * </pre>
     */
    Optional<NodeSelector> nodesOf(PersistentVolume volume) {
        if (zoneKey.isEmpty()) {
            return volume.nodes();
        }
        boolean isBeta = isBeta(volume);
        String zone = isBeta ? BETA_ZONE : ZONE;
        if (volume.nodes().filter(nodes -> names(nodes, zone)).isPresent()) {
            return volume.nodes().map(nodes -> renamed(renamed(nodes, zone, zoneKey), isBeta));
        }
        List<String> zones = zonesOf(volume, zone);
        Optional<NodeSelector> regional = volume.nodes().map(nodes -> renamed(nodes, isBeta));
        return zones.isEmpty() ? regional : Optional.of(narrowed(regional, zoneKey, zones));
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
        return about(nodes, key).findAny().isPresent();
    }

    private static boolean names(NodeSelector nodes, String key) {
        return about(nodes, key).anyMatch(each -> !each.values().isEmpty());
    }

    private static Stream<NodeSelectorRequirement> about(NodeSelector nodes, String key) {
        return nodes.terms().stream()
                .flatMap(term -> term.matchExpressions().stream())
                .filter(each -> each.key().equals(key));
    }

    private static List<String> zonesOf(PersistentVolume volume, String key) {
        return Arrays.stream(volume.meta().labels().getOrDefault(key, "").split(BETWEEN_ZONES, -1))
                .filter(zone -> !zone.isBlank())
                .map(String::strip)
                .distinct()
                .sorted()
                .toList();
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
