package io.evenkeel.cluster.shape;

import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.PodAffinity;

/** A pod's affinity and anti-affinity to other pods, and the namespace that its terms mean where they name none. */
public record AffinityRules(String namespace, PodAffinity affinity) {
    public static final AffinityRules NONE = new AffinityRules("", PodAffinity.NONE);

    static final FacetKind<AffinityRules> KIND = new FacetKind<>("affinity rules", (pod, _) -> of(pod));

    public static AffinityRules of(Pod pod) {
        return pod.spec().podAffinity().isNone()
                ? NONE
                : new AffinityRules(pod.namespace(), pod.spec().podAffinity());
    }
}
