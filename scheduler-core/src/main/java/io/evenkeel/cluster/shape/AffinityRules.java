package io.evenkeel.cluster.shape;

import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.PodAffinity;

/** A pod's affinity and anti-affinity to other pods, and the namespace that its terms mean where they name none. */
public record AffinityRules(String namespace, PodAffinity affinity) {
    public static final AffinityRules NONE = new AffinityRules("", PodAffinity.NONE);

    /** The rules of a pod; those of a facet where one has them. */
    static AffinityRules of(Pod pod, FacetTable<AffinityRules> facets) {
        if (pod.spec().podAffinity().isNone()) {
            return NONE;
        }
        AffinityRules known = facets.known(hash(pod.namespace(), pod.spec().podAffinity()), pod, AffinityRules::areOf);
        return known != null ? known : of(pod);
    }

    private static int hash(String namespace, PodAffinity affinity) {
        return 31 * namespace.hashCode() + affinity.hashCode();
    }

    @Override
    public int hashCode() {
        return hash(namespace, affinity);
    }

    private static boolean areOf(Pod pod, AffinityRules rules) {
        return pod.namespace().equals(rules.namespace)
                && pod.spec().podAffinity().equals(rules.affinity);
    }

    public static AffinityRules of(Pod pod) {
        return pod.spec().podAffinity().isNone()
                ? NONE
                : new AffinityRules(pod.namespace(), pod.spec().podAffinity());
    }
}
