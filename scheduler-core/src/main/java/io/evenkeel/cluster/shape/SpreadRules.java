package io.evenkeel.cluster.shape;

import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.FeatureGates.Feature;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;

/**
 * A pod's topology spread constraints, with {@code matchLabelKeys} resolved into the selectors, and the namespace in
 * which they count. Pods of one revision of a workload have equal rules, whatever else their labels say.
 */
public record SpreadRules(String namespace, List<TopologySpreadConstraint> constraints) {
    private static final SpreadRules NONE = new SpreadRules("", List.of());

    /** The rules of a pod; those of a facet where one has them. */
    static SpreadRules of(Pod pod, FeatureGates gates, FacetTable<SpreadRules> facets) {
        List<TopologySpreadConstraint> own = pod.spec().topologySpread();
        if (own.isEmpty() || haveMatchLabelKeys(own)) {
            return of(pod, gates);
        }
        SpreadRules known = facets.known(hash(pod.namespace(), own), pod, SpreadRules::areOf);
        return known != null ? known : of(pod, gates);
    }

    private static int hash(String namespace, List<TopologySpreadConstraint> constraints) {
        return 31 * namespace.hashCode() + constraints.hashCode();
    }

    @Override
    public int hashCode() {
        return hash(namespace, constraints);
    }

    /** Whether a pod without {@code matchLabelKeys} has these. */
    private static boolean areOf(Pod pod, SpreadRules rules) {
        List<TopologySpreadConstraint> own = pod.spec().topologySpread();
        boolean areEqual =
                own.size() == rules.constraints.size() && pod.namespace().equals(rules.namespace);
        for (int i = 0; i < own.size() && areEqual; i++) {
            areEqual = own.get(i).equals(rules.constraints.get(i));
        }
        return areEqual;
    }

    public static SpreadRules of(Pod pod, FeatureGates gates) {
        List<TopologySpreadConstraint> own = pod.spec().topologySpread();
        if (own.isEmpty()) {
            return NONE;
        }
        boolean keysCount = gates.isOn(Feature.MATCH_LABEL_KEYS_IN_POD_TOPOLOGY_SPREAD);
        if (keysCount && !haveMatchLabelKeys(own)) {
            return new SpreadRules(pod.namespace(), own);
        }
        List<TopologySpreadConstraint> resolved = new ArrayList<>(own.size());
        for (TopologySpreadConstraint constraint : own) {
            resolved.add(
                    keysCount
                            ? resolveMatchLabelKeys(constraint, pod.labels())
                            : constraint.withSelector(constraint.labelSelector()));
        }
        return new SpreadRules(pod.namespace(), resolved);
    }

    private static boolean haveMatchLabelKeys(List<TopologySpreadConstraint> constraints) {
        for (int i = 0; i < constraints.size(); i++) {
            if (!constraints.get(i).matchLabelKeys().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Requires the pod's own value of each key that it has. A newer API server has done so already, which the
     * selector, being free of duplicates, does not notice; an absent selector stays one that matches nothing.
     */
    private static TopologySpreadConstraint resolveMatchLabelKeys(TopologySpreadConstraint constraint, Labels labels) {
        if (constraint.matchLabelKeys().isEmpty()) {
            return constraint;
        }
        List<LabelRequirement> more = new ArrayList<>();
        for (String key : constraint.matchLabelKeys()) {
            if (labels.has(key)) {
                more.add(LabelRequirement.equalTo(key, labels.getOrDefault(key, "")));
            }
        }
        return constraint.withSelector(constraint.labelSelector().and(more));
    }
}
