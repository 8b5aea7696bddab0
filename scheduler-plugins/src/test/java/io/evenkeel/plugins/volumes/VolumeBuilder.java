package io.evenkeel.plugins.volumes;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolume.ClaimReference;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.VolumeSource;
import io.evenkeel.model.storage.VolumeTerms;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Makes a volume: where nothing else is said, a free one of 1 GiB of the class "late" that all nodes can reach. */
public final class VolumeBuilder {
    private final String name;
    private Labels labels = Labels.EMPTY;
    private String version = "1";
    private boolean terminating;
    private VolumeSource source = VolumeSource.OTHER;
    private String storageClass = "late";
    private Set<String> modes = Set.of("ReadWriteOnce");
    private String mode = VolumeTerms.FILESYSTEM;
    private String attributesClass = "";
    private Quantity capacity = Quantity.parse("1Gi");
    private Optional<ClaimReference> claim = Optional.empty();
    private Optional<NodeSelector> nodes = Optional.empty();
    private boolean isAvailable = true;

    private VolumeBuilder(String name) {
        this.name = name;
    }

    public static VolumeBuilder volume(String name) {
        return new VolumeBuilder(name);
    }

    public VolumeBuilder label(String key, String value) {
        labels = labels.with(key, value);
        return this;
    }

    public VolumeBuilder version(String of) {
        version = of;
        return this;
    }

    public VolumeBuilder terminating() {
        terminating = true;
        return this;
    }

    public VolumeBuilder csi(String driver, String handle) {
        source = new VolumeSource.Csi(driver, handle);
        return this;
    }

    /** Of a plugin that Kubernetes once had itself. */
    public VolumeBuilder inTree(PodVolume.Source plugin, String id) {
        source = new VolumeSource.Migrated(plugin, id);
        return this;
    }

    public VolumeBuilder storageClass(String of) {
        storageClass = of;
        return this;
    }

    public VolumeBuilder modes(String... of) {
        modes = Set.of(of);
        return this;
    }

    public VolumeBuilder block() {
        mode = "Block";
        return this;
    }

    public VolumeBuilder attributesClass(String of) {
        attributesClass = of;
        return this;
    }

    public VolumeBuilder size(String of) {
        capacity = Quantity.parse(of);
        return this;
    }

    /** A user has set it aside for whichever claim has the name. */
    public VolumeBuilder reservedFor(String claimName) {
        return reservedFor("default", claimName, "");
    }

    public VolumeBuilder reservedFor(String namespace, String claimName, String claimUid) {
        claim = Optional.of(new ClaimReference(namespace, claimName, claimUid));
        return this;
    }

    public VolumeBuilder claimedBy(PersistentVolumeClaim by) {
        return reservedFor(by.meta().namespace(), by.meta().name(), by.meta().uid());
    }

    /** Only nodes reach it that have the label with one of these values. */
    public VolumeBuilder on(String key, String... values) {
        return on(new NodeSelectorRequirement(key, NodeSelectorRequirement.Operator.IN, List.of(values)));
    }

    /** Only nodes reach it for which all of this holds. */
    public VolumeBuilder on(NodeSelectorRequirement... all) {
        return on(new NodeSelector(List.of(new NodeSelectorTerm(List.of(all), List.of()))));
    }

    public VolumeBuilder on(NodeSelector these) {
        nodes = Optional.of(these);
        return this;
    }

    public VolumeBuilder unavailable() {
        isAvailable = false;
        return this;
    }

    public PersistentVolume build() {
        return new PersistentVolume(
                new ObjectMeta(
                        "", name, name + "-uid", labels, Labels.EMPTY, Optional.empty(), terminating, version, 0),
                source,
                new VolumeTerms(storageClass, modes, mode, attributesClass),
                capacity,
                claim,
                nodes,
                isAvailable);
    }
}
