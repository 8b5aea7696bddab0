package io.evenkeel.plugins.volumes;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.Differences;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.storage.VolumeAttachment;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
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
    private final UsedClaims claims;
    private final Attachments attachments;

    private VolumeCounts(ClusterView cluster) {
        pods = cluster.pods();
        nodes = cluster.nodes();
        known = new KnownVolumes(cluster);
        identity = new VolumeIdentity(known);
        claims = new UsedClaims(identity, known, attached);
        attachments = new Attachments(known, nodes, attached);
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
                            claim -> claims.add(KnownVolumes.claimKey(pod, claim), node, delta),
                            () -> MigratedPlugin.csi(volume).ifPresent(csi -> attached.addPods(csi, node, delta)));
        }
    }

    @Override
    public void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        switch (after.or(() -> before).orElseThrow()) {
            case PersistentVolumeClaim claim -> claims.reconsider(claim.key());
            case PersistentVolume volume -> {
                claims.reconsiderAllOf(volume);
                attachments.reconsiderAllOf(volume);
            }
            case StorageClass storageClass -> claims.reconsiderAllOf(storageClass);
            case VolumeAttachment attachment -> attachments.change(attachment, after.map(VolumeAttachment.class::cast));
            case CsiNode csiNode ->
                limit(csiNode.meta().name(), before.map(CsiNode.class::cast), after.map(CsiNode.class::cast));
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
            limit(node, Optional.empty(), csiNode);
        } else {
            limit(node, csiNode, Optional.empty());
        }
        attachments.nodeChanged(name, node, after.isPresent());
    }

    private void limit(String name, Optional<CsiNode> before, Optional<CsiNode> after) {
        int node = nodes.findPresent(name);
        if (node >= 0) {
            limit(node, before, after);
        }
    }

    private void limit(int node, Optional<CsiNode> before, Optional<CsiNode> after) {
        Map<String, Integer> limits = after.map(CsiNode::limits).orElse(Map.of());
        before.map(CsiNode::limits).orElse(Map.of()).keySet().stream()
                .filter(driver -> !limits.containsKey(driver))
                .forEach(driver -> attached.limit(driver, node, OptionalInt.empty()));
        limits.forEach((driver, limit) -> attached.limit(driver, node, OptionalInt.of(limit)));
    }

    @Override
    public void audit(AuditFacts facts, Differences differences) {
        AttachedVolumes anew = new AttachedVolumes();
        for (AuditFacts.PlacedPod placed : facts.pods()) {
            for (var volume : placed.pod().spec().volumes()) {
                identity.of(placed.pod(), volume).ifPresent(csi -> anew.addPods(csi, placed.node(), 1));
            }
        }
        facts.nodes().forEach((id, node) -> {
            attachments.recounted(node.name()).forEach(csi -> anew.addAttachment(csi, id, 1));
            known.csiNode(node.name())
                    .ifPresent(csiNode ->
                            csiNode.limits().forEach((driver, limit) -> anew.limit(driver, id, OptionalInt.of(limit))));
        });
        differences.compare(() -> "attached volumes", lines(attached, facts), lines(anew, facts));
    }

    @Override
    public void describe(AuditFacts facts, Consumer<String> line) {
        lines(attached, facts).forEach((what, where) -> line.accept(what + " " + where));
    }

    private static Map<String, String> lines(AttachedVolumes attached, AuditFacts facts) {
        Map<String, String> lines = new TreeMap<>();
        attached.volumes()
                .forEach((volume, where) -> lines.put(
                        volume.toString(),
                        where.pods().byName(facts::nameOf) + " attached "
                                + where.attachments().byName(facts::nameOf)));
        attached.drivers().forEach((driver, load) -> {
            Map<String, Integer> limits = new TreeMap<>();
            for (int node = load.limited().first();
                    node >= 0;
                    node = load.limited().next(node + 1)) {
                limits.put(facts.nameOf(node), load.limitOf(node));
            }
            lines.put("driver " + driver, load.attached().byName(facts::nameOf) + " of " + limits);
        });
        return lines;
    }
}
