package io.evenkeel.plugins.volumes.live;

import io.evenkeel.model.Annotations;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolume.ClaimReference;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.VolumeSource;
import io.evenkeel.model.value.Labels;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** What a cluster does with claims once a scheduler has spoken: binds them, makes volumes for them, or fails to. */
final class VolumeController {
    private final StorageServer server;
    private final RandomGenerator random;
    private int made;

    VolumeController(StorageServer server, RandomGenerator random) {
        this.server = server;
        this.random = random;
    }

    /** Sees to one claim that there is something to do about; false where there is none. */
    boolean work(boolean faithfully) {
        for (PersistentVolumeClaim claim : server.claims().values()) {
            if (!claim.isBound() && see(claim, faithfully)) {
                return true;
            }
        }
        return false;
    }

    private boolean see(PersistentVolumeClaim claim, boolean faithfully) {
        Optional<PersistentVolume> reserved = server.volumes().values().stream()
                .filter(volume -> volume.claim()
                        .filter(each -> each.uid().equals(claim.meta().uid()))
                        .isPresent())
                .findFirst();
        if (reserved.isPresent()) {
            bind(claim, reserved.get());
            return true;
        }
        if (claim.selectedNode().isEmpty() || !claim.terms().storageClass().equals("made")) {
            return false;
        }
        Node node = server.all("Node", Node.class).get(claim.selectedNode().get());
        if (node == null || (!faithfully && random.nextInt(3) == 0)) {
            Map<String, String> rest = new TreeMap<>(claim.meta().annotations().asMap());
            rest.remove(Annotations.SELECTED_NODE);
            server.put(StorageServer.with(claim, claim.meta().withAnnotations(Labels.of(rest)), ""));
        } else {
            server.put(volumeNear(node, claim));
        }
        return true;
    }

    private void bind(PersistentVolumeClaim claim, PersistentVolume volume) {
        Labels annotations = claim.meta().annotations().with(Annotations.BIND_COMPLETED, "yes");
        server.put(StorageServer.with(claim, claim.meta().withAnnotations(annotations), volume.name()));
    }

    private PersistentVolume volumeNear(Node node, PersistentVolumeClaim claim) {
        NodeSelectorRequirement zone = new NodeSelectorRequirement(
                "topology.kubernetes.io/zone",
                NodeSelectorRequirement.Operator.IN,
                List.of(node.labels().getOrDefault("topology.kubernetes.io/zone", "")));
        return new PersistentVolume(
                ObjectMeta.named("", "made-" + made++),
                new VolumeSource.Csi("driver", "handle-" + made),
                claim.terms(),
                claim.size().orElseThrow(),
                Optional.of(new ClaimReference(
                        claim.meta().namespace(),
                        claim.meta().name(),
                        claim.meta().uid())),
                Optional.of(new NodeSelector(List.of(new NodeSelectorTerm(List.of(zone), List.of())))),
                false);
    }
}
