package io.evenkeel.engine.decision;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.framework.why.ClaimChange;
import io.evenkeel.model.PodResourceClaim;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.value.Labels;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The part of a pod that filters in the tree look at: two pods with equal ones can take each other's places.
 *
 * @param mentioned the labels of it that selectors look for
 * @param claimed what its claims ask for and have: those of a template are each pod's own
 */
public record Likeness(
        Facet<PodShape> shape,
        String namespace,
        String scheduler,
        int priority,
        Labels mentioned,
        List<PodVolume> volumes,
        List<PodResourceClaim> claims,
        Map<String, Claimed> claimed) {

    /** What a claim asks for, and the claim itself where it has devices: such a one cannot be another pod's. */
    record Claimed(ResourceClaim.Spec spec, Optional<ResourceClaim> having) {
        static Claimed by(ResourceClaim claim) {
            return new Claimed(
                    claim.spec(),
                    Optional.of(claim).filter(it -> it.allocation().isPresent()));
        }
    }

    /** The pod must have been asked about before, or one that is like it: then all selectors that tell them apart are known. */
    public static Likeness of(PodInfo pod, ClusterView cluster) {
        Map<String, Claimed> claimed = new HashMap<>();
        ClaimChange.claimsOf(pod.pod(), cluster.objects())
                .forEach((name, claim) -> claimed.put(name, Claimed.by(claim)));
        return new Likeness(
                pod.interned(),
                pod.pod().namespace(),
                pod.pod().spec().schedulerName(),
                pod.pod().spec().priority(),
                cluster.selectors().mentioned(pod.pod().labels()),
                pod.pod().spec().volumes(),
                pod.pod().spec().resourceClaims(),
                Map.copyOf(claimed));
    }

    /** Whether nothing of it belongs to one pod alone, so that pods to come may be like it. */
    public boolean mayBeShared() {
        return volumes.isEmpty() && claims.isEmpty();
    }
}
