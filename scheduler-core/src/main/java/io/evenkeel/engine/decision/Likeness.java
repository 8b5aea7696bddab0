package io.evenkeel.engine.decision;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.model.PodResourceClaim;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.value.Labels;
import java.util.List;

/**
 * The part of a pod that filters in the tree look at: two pods with equal ones can take each other's places.
 *
 * @param mentioned the labels of it that selectors look for
 */
public record Likeness(
        Facet<PodShape> shape,
        String namespace,
        String scheduler,
        int priority,
        Labels mentioned,
        List<PodVolume> volumes,
        List<PodResourceClaim> claims) {

    /** The pod must have been asked about before, or one that is like it: then all selectors that tell them apart are known. */
    public static Likeness of(PodInfo pod, ClusterView cluster) {
        return new Likeness(
                pod.interned(),
                pod.pod().namespace(),
                pod.pod().spec().schedulerName(),
                pod.pod().spec().priority(),
                cluster.selectors().mentioned(pod.pod().labels()),
                pod.pod().spec().volumes(),
                pod.pod().spec().resourceClaims());
    }

    /** Whether nothing of it belongs to one pod alone, so that pods to come may be like it. */
    public boolean mayBeShared() {
        return volumes.isEmpty() && claims.isEmpty();
    }
}
