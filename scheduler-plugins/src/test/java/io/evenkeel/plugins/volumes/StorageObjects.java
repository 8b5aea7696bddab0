package io.evenkeel.plugins.volumes;

import io.evenkeel.model.Annotations;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.PodVolume.Source;
import io.evenkeel.model.storage.CsiDriver;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.CsiStorageCapacity;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.storage.StorageClass.BindingMode;
import io.evenkeel.model.storage.StorageClass.TopologyTerm;
import io.evenkeel.model.storage.VolumeAttachment;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What else there is about storage, each in a line. */
public final class StorageObjects {
    public static final String NOBODY = "kubernetes.io/no-provisioner";

    private StorageObjects() {}

    /** A class whose claims are bound once there is a pod for them. */
    public static StorageClass late(String name, String provisioner, TopologyTerm... allowed) {
        return storageClass(name, provisioner, Optional.of(BindingMode.WAIT_FOR_FIRST_CONSUMER), allowed);
    }

    /** A class whose claims are bound before there is a pod for them. */
    public static StorageClass immediate(String name, String provisioner) {
        return storageClass(name, provisioner, Optional.of(BindingMode.IMMEDIATE));
    }

    public static StorageClass storageClass(
            String name, String provisioner, Optional<BindingMode> mode, TopologyTerm... allowed) {
        return new StorageClass(ObjectMeta.named("", name), provisioner, mode, List.of(allowed));
    }

    public static TopologyTerm allowed(String key, String... values) {
        return new TopologyTerm(List.of(new TopologyTerm.Requirement(key, List.of(values))));
    }

    public static CsiNode csiNode(String node, Map<String, Integer> limits) {
        return new CsiNode(ObjectMeta.named("", node), limits);
    }

    /** A node on which CSI drivers stand in for these plugins of former Kubernetes. */
    public static CsiNode migratedNode(String node, String plugins) {
        ObjectMeta meta = ObjectMeta.named("", node);
        return new CsiNode(meta.withAnnotations(Labels.of(Annotations.MIGRATED_PLUGINS, plugins)), Map.of());
    }

    public static CsiDriver driver(String name, boolean tellsCapacity) {
        return new CsiDriver(ObjectMeta.named("", name), tellsCapacity, false);
    }

    /** One that nodes must have for pods with its volumes. */
    public static CsiDriver neededDriver(String name) {
        return new CsiDriver(ObjectMeta.named("", name), false, true);
    }

    public static CsiStorageCapacity capacity(
            String name, String storageClass, Optional<LabelSelector> nodes, String capacity, String largest) {
        return new CsiStorageCapacity(
                ObjectMeta.named("kube-system", name), storageClass, nodes, quantity(capacity), quantity(largest));
    }

    private static Optional<Quantity> quantity(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(Quantity.parse(text));
    }

    public static Optional<LabelSelector> nodesWith(String key, String value) {
        return Optional.of(LabelSelector.matchingLabels(Labels.of(key, value)));
    }

    public static VolumeAttachment attachment(String name, String attacher, String node, String volume) {
        return new VolumeAttachment(ObjectMeta.named("", name), attacher, node, volume);
    }

    /** A disk that a pod names without a claim. */
    public static PodVolume disk(Source source, String id, boolean readOnly) {
        return new PodVolume("disk", source, id, List.of(), readOnly);
    }

    public static PodVolume image(String id, boolean readOnly, String... monitors) {
        return new PodVolume("image", Source.RBD, id, List.of(monitors), readOnly);
    }
}
