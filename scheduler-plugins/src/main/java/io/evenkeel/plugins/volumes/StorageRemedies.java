package io.evenkeel.plugins.volumes;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.ObjectAdded;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.CsiDriver;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolume.ClaimReference;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.storage.StorageClass.BindingMode;
import io.evenkeel.model.storage.VolumeSource;
import io.evenkeel.model.storage.VolumeTerms;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Claims, volumes and storage classes that might be added for a pod: what is asked for, and no more. */
final class StorageRemedies {
    private static final int MOST_CLASSES = 3;
    private static final Quantity SOME = Quantity.parse("1Gi");
    private static final VolumeTerms USUAL = new VolumeTerms("", Set.of("ReadWriteOnce"), VolumeTerms.FILESYSTEM, "");
    private static final String MADE_BY_NOBODY = "kubernetes.io/no-provisioner";

    private final KnownVolumes known;
    private final ObjectStore objects;

    StorageRemedies(ClusterView cluster) {
        known = new KnownVolumes(cluster);
        objects = cluster.objects();
    }

    /** All of these claims, of one class after the other that binds late: first of those that make volumes. */
    List<List<Change>> claims(String namespace, List<String> names) {
        return objects.all(Kinds.STORAGE_CLASS).stream()
                .filter(StorageClass::bindsLate)
                .sorted(Comparator.comparing((StorageClass each) -> !each.provisions())
                        .thenComparing(StorageClass::name))
                .limit(MOST_CLASSES)
                .map(each -> claims(namespace, names, each))
                .toList();
    }

    /** Of the terms and sizes of free volumes, where none are made. */
    private List<Change> claims(String namespace, List<String> names, StorageClass storageClass) {
        List<PersistentVolume> free = storageClass.provisions() ? List.of() : free(storageClass.name());
        List<Change> claims = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            VolumeTerms terms = free.isEmpty()
                    ? ofClass(storageClass.name())
                    : free.get(Math.min(i, free.size() - 1)).terms();
            Quantity size = free.isEmpty()
                    ? SOME
                    : free.get(Math.min(i, free.size() - 1)).capacity();
            PersistentVolumeClaim claim = new PersistentVolumeClaim(
                    ObjectMeta.named(namespace, names.get(i)), terms, Optional.of(size), Optional.empty(), "", false);
            claims.add(new ObjectAdded(
                    Change.Kind.CLAIM,
                    claim,
                    "claim " + claim.key() + ", " + size + " of class " + storageClass.name()));
        }
        return List.copyOf(claims);
    }

    private static VolumeTerms ofClass(String storageClass) {
        return new VolumeTerms(storageClass, USUAL.accessModes(), USUAL.mode(), USUAL.attributesClass());
    }

    private List<PersistentVolume> free(String storageClass) {
        return objects.all(Kinds.PERSISTENT_VOLUME).stream()
                .filter(volume -> volume.terms().storageClass().equals(storageClass)
                        && volume.isAvailable()
                        && volume.claim().isEmpty()
                        && !volume.meta().terminating())
                .sorted(Comparator.comparing(PersistentVolume::capacity).thenComparing(PersistentVolume::name))
                .toList();
    }

    /** Which binds late, and whose volumes are made by one who makes some already, if anybody does. */
    Change storageClass(String name) {
        Stream<String> ofClasses = objects.all(Kinds.STORAGE_CLASS).stream()
                .filter(StorageClass::provisions)
                .map(StorageClass::provisioner)
                .sorted();
        Stream<String> drivers = objects.all(Kinds.CSI_DRIVER).stream()
                .map(CsiDriver::meta)
                .map(ObjectMeta::name)
                .sorted();
        String provisioner = Stream.concat(ofClasses, drivers).findFirst().orElse(MADE_BY_NOBODY);
        return new ObjectAdded(
                Change.Kind.STORAGE_CLASS,
                new StorageClass(
                        ObjectMeta.named("", name),
                        provisioner,
                        Optional.of(BindingMode.WAIT_FOR_FIRST_CONSUMER),
                        List.of()),
                "storage class " + name + " with provisioner " + provisioner + " and WaitForFirstConsumer");
    }

    /** The volume to which the claim is bound, as the claim says that it was. */
    Change volumeAgain(PersistentVolumeClaim claim) {
        ClaimReference reference = new ClaimReference(
                claim.meta().namespace(), claim.meta().name(), claim.meta().uid());
        PersistentVolume volume = new PersistentVolume(
                ObjectMeta.named("", claim.volumeName()),
                VolumeSource.OTHER,
                claim.terms(),
                claim.size().orElse(Quantity.ZERO),
                Optional.of(reference),
                Optional.empty(),
                false);
        return new ObjectAdded(
                Change.Kind.VOLUME,
                volume,
                "volume " + volume.name() + ", to which claim " + claim.key() + " is bound");
    }

    /**
     * One that is just large enough for each of the claims and that this node reaches. It is reserved for the claim, as others may
     * wait for such a one.
     */
    List<Change> volumes(List<PersistentVolumeClaim> claims, Node node) {
        List<Change> volumes = new ArrayList<>();
        Map<String, PersistentVolume> named = new TreeMap<>();
        for (PersistentVolumeClaim claim : claims) {
            String name = "for-" + claim.meta().name();
            while (named.containsKey(name) || known.volume(name).isPresent()) {
                name += "-more";
            }
            PersistentVolume volume = new PersistentVolume(
                    ObjectMeta.named("", name).withLabels(labels(claim.selector())),
                    VolumeSource.OTHER,
                    claim.terms(),
                    claim.size().orElse(Quantity.ZERO),
                    Optional.of(new ClaimReference(
                            claim.meta().namespace(), claim.meta().name(), "")),
                    hostOf(node),
                    true);
            named.put(name, volume);
            volumes.add(new ObjectAdded(
                    Change.Kind.VOLUME,
                    volume,
                    "volume of " + volume.capacity() + " of class "
                            + claim.terms().storageClass()
                            + (volume.nodes().isPresent() ? " on node " + node.name() : "") + " for claim "
                            + claim.key()));
        }
        return List.copyOf(volumes);
    }

    /** Empty where the node has no label that is its own: then all nodes reach the volume. */
    private static Optional<NodeSelector> hostOf(Node node) {
        String host = node.labels().getOrDefault(Node.HOSTNAME, "");
        return host.isEmpty()
                ? Optional.empty()
                : Optional.of(new NodeSelector(List.of(new NodeSelectorTerm(
                        List.of(new NodeSelectorRequirement(Node.HOSTNAME, Operator.IN, List.of(host))), List.of()))));
    }

    private static Labels labels(Optional<LabelSelector> selector) {
        Map<String, String> labels = new TreeMap<>();
        for (LabelRequirement requirement :
                selector.map(LabelSelector::requirements).orElse(List.of())) {
            switch (requirement.operator()) {
                case IN ->
                    labels.putIfAbsent(requirement.key(), requirement.values().getFirst());
                case EXISTS -> labels.putIfAbsent(requirement.key(), "true");
                case NOT_IN, DOES_NOT_EXIST -> {}
            }
        }
        return Labels.of(labels);
    }
}
