package io.evenkeel.config;

import static io.evenkeel.config.CompatibilityLevel.V1_37;
import static io.evenkeel.config.CompatibilityLevel.V1_38;

/**
 * What kube-scheduler answers otherwise from a release on, and no feature gate says so: mostly a repair. Who answers is told by
 * {@link FeatureGates#has} once, when a profile is built.
 */
public enum Difference {
    /** Image volumes raise what images are worth at most, as containers do. */
    IMAGE_VOLUMES_COUNT(V1_37, 138951, "ImageLocality", "an image volume raises the most that images can be worth"),
    /** A pod for which others go is told who: {@code preemption: found a potential placement …}. */
    PREEMPTION_IS_TOLD(V1_37, 140180, "DefaultPreemption", "the pod's condition and event say where others go for it"),
    /** What has nothing to free says nothing. */
    NO_CLAIMS_NO_WORDS(V1_37, 140222, "DynamicResources", "what cannot free devices for a pod says nothing of that"),
    /** Of a resize in place the sums over the whole pod count, and no longer the most of each container. */
    RESIZED_AS_A_WHOLE(
            V1_37,
            140047,
            "pods in place",
            "a resize counts as the most of the pod's sums: of what it asks for, is given and has"),
    /** Room is left for a nominated pod too while a gate holds it. */
    GATED_PODS_KEEP_ROOM(
            V1_37,
            139057,
            "scheduling queue",
            "a pod that is gated keeps its room on the node that it is nominated to"),
    /** {@code labelSelector: {}} of a spread constraint counts the pods of the namespace, and no longer none. */
    EMPTY_SPREAD_SELECTOR_COUNTS(
            V1_38,
            141340,
            "PodTopologySpread",
            "an empty labelSelector counts all pods of the namespace, and not none"),
    /** {@code selector: {}} of a PodDisruptionBudget protects the pods of its namespace, and any may protect pods without labels. */
    EMPTY_BUDGET_SELECTOR_PROTECTS(
            V1_38,
            141785,
            "DefaultPreemption",
            "an empty selector of a PodDisruptionBudget protects all pods of its namespace");

    private final CompatibilityLevel since;
    private final int pullRequest;
    private final String part;
    private final String change;

    Difference(CompatibilityLevel since, int pullRequest, String part, String change) {
        this.since = since;
        this.pullRequest = pullRequest;
        this.part = part;
        this.change = change;
    }

    public CompatibilityLevel since() {
        return since;
    }

    /** The number of the change in kubernetes/kubernetes. */
    public int pullRequest() {
        return pullRequest;
    }

    /** The plugin, or what else answers otherwise. */
    public String part() {
        return part;
    }

    /** The newer answer, in a sentence. */
    public String change() {
        return change;
    }
}
