package io.evenkeel.plugins.volumes;

import io.evenkeel.model.Annotations;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.VolumeTerms;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import java.util.Optional;
import java.util.Set;

/** Makes a claim: where nothing else is said, for 1 GiB of the class "late" that one node writes, in namespace default. */
public final class ClaimBuilder {
    private final String name;
    private String namespace = "default";
    private String uid;
    private String version = "1";
    private Labels annotations = Labels.EMPTY;
    private Optional<OwnerReference> controller = Optional.empty();
    private boolean terminating;
    private String storageClass = "late";
    private Set<String> modes = Set.of("ReadWriteOnce");
    private String mode = VolumeTerms.FILESYSTEM;
    private String attributesClass = "";
    private Optional<Quantity> size = Optional.of(Quantity.parse("1Gi"));
    private Optional<LabelSelector> selector = Optional.empty();
    private String volumeName = "";
    private boolean isLost;

    private ClaimBuilder(String name) {
        this.name = name;
        this.uid = name + "-uid";
    }

    public static ClaimBuilder claim(String name) {
        return new ClaimBuilder(name);
    }

    public ClaimBuilder namespace(String of) {
        namespace = of;
        return this;
    }

    public ClaimBuilder uid(String of) {
        uid = of;
        return this;
    }

    public ClaimBuilder version(String of) {
        version = of;
        return this;
    }

    public ClaimBuilder storageClass(String of) {
        storageClass = of;
        return this;
    }

    public ClaimBuilder modes(String... of) {
        modes = Set.of(of);
        return this;
    }

    public ClaimBuilder block() {
        mode = "Block";
        return this;
    }

    public ClaimBuilder attributesClass(String of) {
        attributesClass = of;
        return this;
    }

    public ClaimBuilder size(String of) {
        size = Optional.of(Quantity.parse(of));
        return this;
    }

    public ClaimBuilder withoutSize() {
        size = Optional.empty();
        return this;
    }

    public ClaimBuilder selector(String... keysAndValues) {
        selector = Optional.of(LabelSelector.matchingLabels(Labels.of(keysAndValues)));
        return this;
    }

    /** It names the volume, which does not know of it yet. */
    public ClaimBuilder wanting(String volume) {
        volumeName = volume;
        return this;
    }

    public ClaimBuilder boundTo(String volume) {
        annotations = annotations.with(Annotations.BIND_COMPLETED, "yes");
        return wanting(volume);
    }

    public ClaimBuilder selectedNode(String node) {
        annotations = annotations.with(Annotations.SELECTED_NODE, node);
        return this;
    }

    public ClaimBuilder lost() {
        isLost = true;
        return this;
    }

    public ClaimBuilder terminating() {
        terminating = true;
        return this;
    }

    public ClaimBuilder ownedBy(Pod pod) {
        controller = Optional.of(
                new OwnerReference("v1", "Pod", pod.meta().name(), pod.meta().uid()));
        return this;
    }

    public PersistentVolumeClaim build() {
        return new PersistentVolumeClaim(
                new ObjectMeta(namespace, name, uid, Labels.EMPTY, annotations, controller, terminating, version, 0),
                new VolumeTerms(storageClass, modes, mode, attributesClass),
                size,
                selector,
                volumeName,
                isLost);
    }
}
