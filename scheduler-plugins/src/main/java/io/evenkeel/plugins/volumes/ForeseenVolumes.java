package io.evenkeel.plugins.volumes;

import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.storage.VolumeSource;
import io.evenkeel.model.storage.VolumeSource.Csi;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.volumes.ClaimReader.PodClaims;
import io.evenkeel.plugins.volumes.NodeSearch.Found;
import io.evenkeel.plugins.volumes.NodeSearch.NodeReasons;
import io.evenkeel.plugins.volumes.VolumeCounts.VolumeIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What becomes of a pod's claims and of their volumes when it gets its node.
 *
 * <pre>
 *   free is v, of n1's zone                     written            prepared
 *   claim c, which v suits, on n1               v is c's           c is bound to v
 *   claim d, whose class makes volumes, on n1   d selects n1       pvc-d is d's, of n1's zone, and d is bound to it
 * </pre>
 */
record ForeseenVolumes(NodeTable nodes, KnownVolumes known, VolumeBook book, ClaimReader claims, NodeSearch search) {

    /** As {@link BindingPreparation} has it written; nothing on a node where the claims cannot be met. */
    List<KubernetesObject> written(Pod pod, int node) {
        if (!(claims.read(pod) instanceof PodClaims some) || some.unbound().isEmpty()) {
            return List.of();
        }
        Found found = search.search(some, node);
        return found.reasons() == NodeReasons.NONE
                ? Stream.<KubernetesObject>concat(
                                found.plan().matches().stream()
                                        .map(match -> match.volume().boundTo(match.claim())),
                                found.plan().toMake().stream().map(claim -> claim.selecting(nodes.name(node))))
                        .toList()
                : List.of();
    }

    /** As the cluster's controller and its provisioners do it. */
    List<KubernetesObject> prepared(Pod pod) {
        List<KubernetesObject> all = new ArrayList<>();
        known.claimsOf(pod).filter(claim -> claim.volumeName().isEmpty()).forEach(claim -> {
            Optional<PersistentVolume> own = book.ofClaim(claim).stream()
                    .filter(volume -> NodeSearch.isReserved(volume, claim))
                    .findFirst();
            Optional<PersistentVolume> made = own.isPresent() ? Optional.empty() : made(claim);
            made.ifPresent(all::add);
            own.or(() -> made).ifPresent(volume -> all.add(claim.boundTo(volume.name())));
        });
        return all;
    }

    private Optional<PersistentVolume> made(PersistentVolumeClaim claim) {
        Optional<StorageClass> storageClass = known.storageClass(claim.terms().storageClass());
        Optional<String> near = claim.selectedNode().filter(node -> nodes.findPresent(node) >= 0);
        if (storageClass.isEmpty() || near.isEmpty()) {
            return Optional.empty();
        }
        // no volume that there is has a slash in its name
        String name = "pvc-"
                + (claim.meta().uid().isEmpty() ? claim.key() : claim.meta().uid());
        String driver = MigratedPlugin.driverOf(storageClass.get().provisioner());
        VolumeSource source =
                VolumeIdentity.isCounted(storageClass.get().provisioner()) ? new Csi(driver, name) : VolumeSource.OTHER;
        return Optional.of(new PersistentVolume(
                        ObjectMeta.named("", name),
                        source,
                        claim.terms(),
                        NodeSearch.sizeOf(claim),
                        Optional.empty(),
                        near(near.get(), driver),
                        false)
                .boundTo(claim));
    }

    /** The nodes with the same labels as this one has, of those that the driver goes by; empty for all nodes. */
    private Optional<NodeSelector> near(String node, String driver) {
        Labels labels = nodes.node(nodes.findPresent(node)).labels();
        List<NodeSelectorRequirement> same =
                known
                        .csiNode(node)
                        .map(CsiNode::topologyKeys)
                        .map(keys -> keys.getOrDefault(driver, List.of()))
                        .stream()
                        .flatMap(List::stream)
                        .filter(labels::has)
                        .map(key -> new NodeSelectorRequirement(
                                key, Operator.IN, List.of(labels.valueAt(labels.find(key)))))
                        .toList();
        return same.isEmpty()
                ? Optional.empty()
                : Optional.of(new NodeSelector(List.of(new NodeSelectorTerm(same, List.of()))));
    }
}
