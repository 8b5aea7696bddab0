package io.evenkeel.model.constraint;

import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.NamedConstant;
import java.util.List;

/**
 * A limit of how unevenly a pod's peers may be spread over the domains of a topology key.
 *
 * @param minDomains 1 where absent, which means the same
 * @param labelSelector {@link LabelSelector#NOTHING} where absent
 */
public record TopologySpreadConstraint(
        int maxSkew,
        String topologyKey,
        WhenUnsatisfiable whenUnsatisfiable,
        LabelSelector labelSelector,
        int minDomains,
        NodeInclusionPolicy nodeAffinityPolicy,
        NodeInclusionPolicy nodeTaintsPolicy,
        List<String> matchLabelKeys) {

    /** Whether the constraint forbids or only dislikes. */
    public enum WhenUnsatisfiable implements NamedConstant {
        DO_NOT_SCHEDULE,
        SCHEDULE_ANYWAY
    }

    /** Whether nodes that the pod's affinity or tolerations rule out are left out of the counting. */
    public enum NodeInclusionPolicy implements NamedConstant {
        HONOR,
        IGNORE
    }

    public boolean isHard() {
        return whenUnsatisfiable == WhenUnsatisfiable.DO_NOT_SCHEDULE;
    }

    /** Returns the constraint for the pods that this selector matches, which leaves nothing to matchLabelKeys. */
    public TopologySpreadConstraint withSelector(LabelSelector selector) {
        return copy(maxSkew, whenUnsatisfiable, selector, minDomains, nodeTaintsPolicy, List.of());
    }

    public TopologySpreadConstraint withMaxSkew(int skew) {
        return copy(skew, whenUnsatisfiable, labelSelector, minDomains, nodeTaintsPolicy, matchLabelKeys);
    }

    public TopologySpreadConstraint withMinDomains(int domains) {
        return copy(maxSkew, whenUnsatisfiable, labelSelector, domains, nodeTaintsPolicy, matchLabelKeys);
    }

    public TopologySpreadConstraint withTaintsPolicy(NodeInclusionPolicy policy) {
        return copy(maxSkew, whenUnsatisfiable, labelSelector, minDomains, policy, matchLabelKeys);
    }

    public TopologySpreadConstraint whenUnsatisfiable(WhenUnsatisfiable action) {
        return copy(maxSkew, action, labelSelector, minDomains, nodeTaintsPolicy, matchLabelKeys);
    }

    private TopologySpreadConstraint copy(
            int skew,
            WhenUnsatisfiable action,
            LabelSelector selector,
            int domains,
            NodeInclusionPolicy taintsPolicy,
            List<String> labelKeys) {
        return new TopologySpreadConstraint(
                skew, topologyKey, action, selector, domains, nodeAffinityPolicy, taintsPolicy, labelKeys);
    }

    /** A constraint with the API's defaults for everything that is not named. */
    public static TopologySpreadConstraint of(
            int maxSkew, String topologyKey, WhenUnsatisfiable whenUnsatisfiable, LabelSelector labelSelector) {
        return new TopologySpreadConstraint(
                maxSkew,
                topologyKey,
                whenUnsatisfiable,
                labelSelector,
                1,
                NodeInclusionPolicy.HONOR,
                NodeInclusionPolicy.IGNORE,
                List.of());
    }
}
