package io.evenkeel.plugins.volumes;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.index.ShrinkingMap;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.cluster.node.SparseCounts;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.storage.VolumeAttachment;
import io.evenkeel.model.storage.VolumeSource.Csi;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Keeps {@link AttachedVolumes} up to date: with pods, which have volumes by their claims; with claims, volumes and classes, by
 * which a claim's volume turns out to be another one than was thought; with what CSI drivers say of nodes. For example:
 *
 * <pre>
 *                                        volumes of driver d on n1
 *   pod a with claim c comes to n1       {claim:c}
 *   c is bound to volume v               {v}
 *   pod b with c comes to n1             {v}          two pods, one volume
 *   VolumeAttachment of w to n1          {v, w}       of a pod that is gone, perhaps; it still takes up its place
 * </pre>
 */
final class VolumeCounts implements ClusterIndex {
    private final PodTable pods;
    private final NodeTable nodes;
    private final KnownVolumes known;
    private final VolumeIdentity identity;
    private final AttachedVolumes attached = new AttachedVolumes();
    /** The claims that pods name, and those that were made for a pod. */
    private final UsedClaims named = new UsedClaims();

    private final UsedClaims made = new UsedClaims();
    private final Attachments attachments = new Attachments();

    private VolumeCounts(ClusterView cluster) {
        pods = cluster.pods();
        nodes = cluster.nodes();
        known = new KnownVolumes(cluster);
        identity = new VolumeIdentity(known);
    }

    static VolumeCounts of(ClusterView cluster) {
        return cluster.index(VolumeCounts.class, VolumeCounts::new);
    }

    AttachedVolumes attached() {
        return attached;
    }

    VolumeIdentity identity() {
        return identity;
    }

    /** How many pods of each node name the claim of this key. */
    SparseCounts podsNaming(String claim) {
        return named.podsWith(claim);
    }

    @Override
    public void podPlaced(int row) {
        add(pods.pod(row), pods.node(row), 1);
    }

    @Override
    public void podRemoved(int row) {
        add(pods.pod(row), pods.node(row), -1);
    }

    @Override
    public void podReplaced(int row, Pod before) {
        Pod after = pods.pod(row);
        if (!before.spec().volumes().equals(after.spec().volumes())) {
            add(before, pods.node(row), -1);
            add(after, pods.node(row), 1);
        }
    }

    private void add(Pod pod, int node, int delta) {
        if (pod.spec().volumes().isEmpty()) {
            return;
        }
        for (var volume : pod.spec().volumes()) {
            volume.claimOf(pod)
                    .ifPresentOrElse(
                            claim -> (KnownVolumes.isClaim(volume) ? named : made)
                                    .add(KnownVolumes.claimKey(pod, claim), node, delta),
                            () -> MigratedPlugin.csi(volume).ifPresent(csi -> attached.addPods(csi, node, delta)));
        }
    }

    @Override
    public void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        switch (after.or(() -> before).orElseThrow()) {
            case PersistentVolumeClaim claim -> {
                named.reconsider(claim.key());
                made.reconsider(claim.key());
            }
            case PersistentVolume volume -> {
                named.reconsiderAllOf(volume);
                made.reconsiderAllOf(volume);
                attachments.reconsiderAllOf(volume);
            }
            case StorageClass storageClass -> {
                named.reconsiderAllOf(storageClass);
                made.reconsiderAllOf(storageClass);
            }
            case VolumeAttachment attachment -> attachments.change(attachment, after.map(VolumeAttachment.class::cast));
            case CsiNode csiNode ->
                install(csiNode.meta().name(), before.map(CsiNode.class::cast), after.map(CsiNode.class::cast));
            default -> {}
        }
    }

    @Override
    public void nodeChanged(int node, Optional<Node> before, Optional<Node> after) {
        if (before.isPresent() == after.isPresent()) {
            return;
        }
        String name = after.or(() -> before).orElseThrow().name();
        Optional<CsiNode> csiNode = known.csiNode(name);
        if (after.isPresent()) {
            install(node, Optional.empty(), csiNode);
        } else {
            install(node, csiNode, Optional.empty());
        }
        attachments.nodeChanged(name, node, after.isPresent());
    }

    private void install(String name, Optional<CsiNode> before, Optional<CsiNode> after) {
        int node = nodes.findPresent(name);
        if (node >= 0) {
            install(node, before, after);
        }
    }

    private void install(int node, Optional<CsiNode> before, Optional<CsiNode> after) {
        Set<String> drivers = after.map(CsiNode::drivers).orElse(Set.of());
        before.map(CsiNode::drivers).orElse(Set.of()).stream()
                .filter(driver -> !drivers.contains(driver))
                .forEach(driver -> attached.uninstall(driver, node));
        after.ifPresent(csiNode -> install(attached, node, csiNode));
    }

    private static void install(AttachedVolumes attached, int node, CsiNode csiNode) {
        csiNode.drivers().forEach(driver -> {
            Integer limit = csiNode.limits().get(driver);
            attached.install(driver, node, limit == null ? OptionalInt.empty() : OptionalInt.of(limit));
        });
    }

    @Override
    public void audit(AuditFacts facts, Differences differences) {
        AttachedVolumes anew = new AttachedVolumes();
        Map<String, SparseCounts.Writer> naming = new TreeMap<>();
        for (AuditFacts.PlacedPod placed : facts.pods()) {
            for (var volume : placed.pod().spec().volumes()) {
                if (KnownVolumes.isClaim(volume)) {
                    naming.computeIfAbsent(KnownVolumes.claimKey(placed.pod(), volume.id()), _ -> SparseCounts.create())
                            .add(placed.node(), 1);
                }
                identity.of(placed.pod(), volume).ifPresent(csi -> anew.addPods(csi, placed.node(), 1));
            }
        }
        facts.nodes().forEach((id, node) -> {
            attachments.recounted(node.name()).forEach(csi -> anew.addAttachment(csi, id, 1));
            known.csiNode(node.name()).ifPresent(csiNode -> install(anew, id, csiNode));
        });
        differences.compare(() -> "attached volumes", lines(attached, facts), lines(anew, facts));
        differences.compare(() -> "pods naming claims", named.byName(facts), UsedClaims.byName(naming, facts));
    }

    @Override
    public void describe(AuditFacts facts, Consumer<String> line) {
        lines(attached, facts).forEach((what, where) -> line.accept(what + " " + where));
        named.byName(facts).forEach((claim, where) -> line.accept("claim " + claim + " " + where));
    }

    private static Map<String, String> lines(AttachedVolumes attached, AuditFacts facts) {
        Map<String, String> lines = new TreeMap<>();
        attached.volumes()
                .forEach((volume, where) -> lines.put(
                        volume.toString(),
                        where.pods().byName(facts::nameOf) + " attached "
                                + where.attachments().byName(facts::nameOf)));
        attached.drivers().forEach((driver, load) -> {
            Map<String, String> limits = new TreeMap<>();
            for (int node = load.installed().first();
                    node >= 0;
                    node = load.installed().next(node + 1)) {
                limits.put(
                        facts.nameOf(node), load.limited().contains(node) ? String.valueOf(load.limitOf(node)) : "any");
            }
            lines.put("driver " + driver, load.attached().byName(facts::nameOf) + " of " + limits);
        });
        return lines;
    }

    /** The claims that pods in place have, and which volume each of them has been counted as. */
    private final class UsedClaims {
        private final Map<String, Use> uses = new ShrinkingMap<>();
        /** The claims that name a volume, and the claims that name a class, by {@link #volumeKey} and {@link #classKey}. */
        private final Map<String, Set<String>> naming = new ShrinkingMap<>();

        private static final class Use {
            final SparseCounts.Writer pods = SparseCounts.create();
            int total;
            Optional<Csi> countedAs = Optional.empty();
            Set<String> named = Set.of();
        }

        SparseCounts podsWith(String claim) {
            Use use = uses.get(claim);
            return use == null ? AttachedVolumes.NOWHERE : use.pods.counts();
        }

        Map<String, Map<String, Integer>> byName(AuditFacts facts) {
            Map<String, SparseCounts.Writer> pods = new TreeMap<>();
            uses.forEach((claim, use) -> pods.put(claim, use.pods));
            return byName(pods, facts);
        }

        static Map<String, Map<String, Integer>> byName(Map<String, SparseCounts.Writer> pods, AuditFacts facts) {
            Map<String, Map<String, Integer>> byName = new TreeMap<>();
            pods.forEach((claim, where) -> byName.put(claim, where.counts().byName(facts::nameOf)));
            return byName;
        }

        void add(String claim, int node, int delta) {
            Use use = uses.get(claim);
            if (use == null) {
                use = new Use();
                uses.put(claim, use);
                identify(claim, use);
            }
            use.pods.add(node, delta);
            use.total += delta;
            use.countedAs.ifPresent(csi -> attached.addPods(csi, node, delta));
            if (use.total == 0) {
                uses.remove(claim);
                unname(claim, use);
            }
        }

        /** Something has changed by which the claim's volume may be another. */
        void reconsider(String claim) {
            Use use = uses.get(claim);
            if (use == null) {
                return;
            }
            Optional<Csi> before = use.countedAs;
            unname(claim, use);
            identify(claim, use);
            if (!before.equals(use.countedAs)) {
                use.pods.counts().forEachNode(node -> {
                    int count = use.pods.counts().get(node);
                    before.ifPresent(csi -> attached.addPods(csi, node, -count));
                    use.countedAs.ifPresent(csi -> attached.addPods(csi, node, count));
                });
            }
        }

        void reconsiderAllOf(PersistentVolume volume) {
            List.copyOf(naming.getOrDefault(volumeKey(volume.name()), Set.of())).forEach(this::reconsider);
        }

        void reconsiderAllOf(StorageClass storageClass) {
            List.copyOf(naming.getOrDefault(classKey(storageClass.name()), Set.of()))
                    .forEach(this::reconsider);
        }

        private void identify(String key, Use use) {
            use.countedAs = identity.ofClaim(key);
            use.named = known.claim(key).map(UsedClaims::namedBy).orElse(Set.of());
            use.named.forEach(name ->
                    naming.computeIfAbsent(name, _ -> HashSet.newHashSet(1)).add(key));
        }

        private void unname(String key, Use use) {
            use.named.forEach(name -> naming.computeIfPresent(name, (_, claims) -> {
                claims.remove(key);
                return claims.isEmpty() ? null : claims;
            }));
        }

        private static Set<String> namedBy(PersistentVolumeClaim claim) {
            return Set.of(volumeKey(claim.volumeName()), classKey(claim.terms().storageClass()));
        }

        private static String volumeKey(String name) {
            return "volume " + name;
        }

        private static String classKey(String name) {
            return "class " + name;
        }
    }

    /** The VolumeAttachments, and which volume each has been counted as; none is counted for nodes that are not there. */
    private final class Attachments {
        private final Map<String, Entry> byName = new HashMap<>();
        private final Map<String, Map<String, Entry>> byNode = new HashMap<>();
        private final Map<String, Map<String, Entry>> byVolume = new HashMap<>();

        private static final class Entry {
            final VolumeAttachment attachment;
            Optional<Csi> countedAs = Optional.empty();
            int countedOn;

            Entry(VolumeAttachment attachment) {
                this.attachment = attachment;
            }
        }

        /** @param now empty where it is gone */
        void change(VolumeAttachment attachment, Optional<VolumeAttachment> now) {
            String name = attachment.meta().name();
            Optional.ofNullable(byName.remove(name)).ifPresent(before -> {
                count(before, -1, false);
                remove(byNode, before.attachment.node(), name);
                remove(byVolume, before.attachment.volumeName(), name);
            });
            now.ifPresent(after -> {
                Entry entry = new Entry(after);
                byName.put(name, entry);
                byNode.computeIfAbsent(after.node(), _ -> new LinkedHashMap<>()).put(name, entry);
                byVolume.computeIfAbsent(after.volumeName(), _ -> new LinkedHashMap<>())
                        .put(name, entry);
                count(entry, nodes.findPresent(after.node()), true);
            });
        }

        private static void remove(Map<String, Map<String, Entry>> map, String key, String name) {
            map.computeIfPresent(key, (_, entries) -> {
                entries.remove(name);
                return entries.isEmpty() ? null : entries;
            });
        }

        void reconsiderAllOf(PersistentVolume volume) {
            byVolume.getOrDefault(volume.name(), Map.of()).values().forEach(entry -> {
                count(entry, -1, false);
                count(entry, nodes.findPresent(entry.attachment.node()), true);
            });
        }

        void nodeChanged(String name, int node, boolean isThere) {
            byNode.getOrDefault(name, Map.of()).values().forEach(entry -> count(entry, node, isThere));
        }

        /** Counts it on this node, or no longer where it is counted. */
        private void count(Entry entry, int node, boolean counts) {
            entry.countedAs.ifPresent(csi -> attached.addAttachment(csi, entry.countedOn, -1));
            entry.countedAs = counts && node >= 0 ? volumeOf(entry.attachment) : Optional.empty();
            entry.countedOn = node;
            entry.countedAs.ifPresent(csi -> attached.addAttachment(csi, node, 1));
        }

        /** The attacher goes by what it attaches, whichever driver the volume itself names. */
        private Optional<Csi> volumeOf(VolumeAttachment attachment) {
            if (attachment.attacher().isEmpty() || attachment.volumeName().isEmpty()) {
                return Optional.empty();
            }
            return known.volume(attachment.volumeName())
                    .map(PersistentVolume::source)
                    .filter(Csi.class::isInstance)
                    .map(source -> new Csi(attachment.attacher(), ((Csi) source).handle()));
        }

        /** Counts again the volumes that are attached to the node. */
        List<Csi> recounted(String node) {
            List<Csi> all = new ArrayList<>();
            byNode.getOrDefault(node, Map.of())
                    .values()
                    .forEach(entry -> volumeOf(entry.attachment).ifPresent(all::add));
            return all;
        }
    }

    /**
     * Which volume of which CSI driver a pod's volume is, by which it is told whether two pods have the same one. A claim that is
     * not bound yet stands for the volume that will be made for it.
     */
    record VolumeIdentity(KnownVolumes known) {
        /** No driver has handles such as these. */
        private static final String OF_CLAIM = "claim:";

        /** Plugins of former Kubernetes that drivers stand in for too, without counting their volumes. */
        private static final Set<String> NOT_COUNTED =
                Set.of("kubernetes.io/azure-file", "kubernetes.io/vsphere-volume");

        /** All volumes of a pod that are attached to its node. */
        Set<Csi> of(Pod pod) {
            Set<Csi> all = LinkedHashSet.newLinkedHashSet(pod.spec().volumes().size());
            pod.spec().volumes().forEach(volume -> of(pod, volume).ifPresent(all::add));
            return all;
        }

        /** Identifies one volume of the pod; several of a pod can be the same. */
        Optional<Csi> of(Pod pod, PodVolume volume) {
            return volume.claimOf(pod)
                    .map(claim -> ofClaim(KnownVolumes.claimKey(pod, claim)))
                    .orElseGet(() -> MigratedPlugin.csi(volume));
        }

        /** The volume of a claim; empty where it is none of a CSI driver, or nothing is known of it. */
        Optional<Csi> ofClaim(String key) {
            return known.claim(key).flatMap(claim -> {
                Optional<PersistentVolume> volume =
                        claim.volumeName().isEmpty() ? Optional.empty() : known.volume(claim.volumeName());
                return volume.isPresent()
                        ? MigratedPlugin.csi(volume.get())
                                .filter(csi -> !csi.handle().isEmpty())
                        : toBeMade(claim);
            });
        }

        /** Whether volumes that this one makes are a CSI driver's that are counted. */
        static boolean isCounted(String provisioner) {
            return !provisioner.isEmpty() && !NOT_COUNTED.contains(provisioner);
        }

        private Optional<Csi> toBeMade(PersistentVolumeClaim claim) {
            return known.storageClass(claim.terms().storageClass())
                    .map(StorageClass::provisioner)
                    .filter(VolumeIdentity::isCounted)
                    .map(provisioner -> new Csi(MigratedPlugin.driverOf(provisioner), OF_CLAIM + claim.key()));
        }
    }
}
