package io.evenkeel.model.storage;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.value.Quantity;
import java.util.Optional;

/**
 * A PersistentVolume.
 *
 * @param terms what it offers
 * @param claim the claim that it is bound to, or reserved for
 * @param nodes the nodes that can reach it; empty where all can
 * @param isAvailable whether its status says that it is free to be bound
 */
public record PersistentVolume(
        ObjectMeta meta,
        VolumeSource source,
        VolumeTerms terms,
        Quantity capacity,
        Optional<ClaimReference> claim,
        Optional<NodeSelector> nodes,
        boolean isAvailable)
        implements PluginObject {
    @Override
    public String kindName() {
        return "PersistentVolume";
    }

    public String name() {
        return meta.name();
    }

    /** Whether it is bound to this claim, or reserved for it. */
    public boolean isFor(PersistentVolumeClaim wanted) {
        return claim.isPresent() && claim.get().means(wanted);
    }

    public PersistentVolume boundTo(PersistentVolumeClaim bound) {
        ClaimReference reference = new ClaimReference(
                bound.meta().namespace(), bound.meta().name(), bound.meta().uid());
        return new PersistentVolume(meta, source, terms, capacity, Optional.of(reference), nodes, isAvailable);
    }

    /**
     * The claim that a volume is for.
     *
     * @param uid empty where a user has reserved the volume for whichever claim has the name
     */
    public record ClaimReference(String namespace, String name, String uid) {

        public boolean means(PersistentVolumeClaim claim) {
            return name.equals(claim.meta().name())
                    && namespace.equals(claim.meta().namespace())
                    && (uid.isEmpty() || uid.equals(claim.meta().uid()));
        }
    }
}
