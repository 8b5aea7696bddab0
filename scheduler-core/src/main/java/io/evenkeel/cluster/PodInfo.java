package io.evenkeel.cluster;

import io.evenkeel.api.PendingPod;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.PodRequests.SpecifiedResources;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.Quantity;

/** A pod that waits to be placed, with its shape. */
public record PodInfo(Pod pod, Facet<PodShape> interned) implements PendingPod {

    /** What a plugin of the tree is handed is always one of these. */
    public static PodInfo of(PendingPod pod) {
        return (PodInfo) pod;
    }

    public PodShape shape() {
        return interned.value();
    }

    @Override
    public long requested(String resource) {
        Quantity amount = SpecifiedResources.requests(pod).getOrDefault(resource, Quantity.ZERO);
        return resource.equals(ResourceNames.CPU_NAME) ? amount.milliValue() : amount.value();
    }

    /** Reads pods before they have a place, for those who keep them until then. */
    public interface PodAdmission {

        /** Reads a pod, without placing it. To be given back by {@link #dismiss}, once. */
        PodInfo admit(Pod pod);

        void dismiss(PodInfo pod);
    }
}
