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
        DO_NOT_SCHEDULE("DoNotSchedule"),
        SCHEDULE_ANYWAY("ScheduleAnyway");

        private final String apiName;

        WhenUnsatisfiable(String apiName) {
            this.apiName = apiName;
        }

        @Override
        public String apiName() {
            return apiName;
        }
    }

    /** Whether nodes that the pod's affinity or tolerations rule out are left out of the counting. */
    public enum NodeInclusionPolicy implements NamedConstant {
        HONOR("Honor"),
        IGNORE("Ignore");

        private final String apiName;

        NodeInclusionPolicy(String apiName) {
            this.apiName = apiName;
        }

        @Override
        public String apiName() {
            return apiName;
        }
    }

    public boolean isHard() {
        return whenUnsatisfiable == WhenUnsatisfiable.DO_NOT_SCHEDULE;
    }

    /** Returns the constraint for the pods that this selector matches, which leaves nothing to matchLabelKeys. */
    public TopologySpreadConstraint withSelector(LabelSelector selector) {
        return new TopologySpreadConstraint(
                maxSkew,
                topologyKey,
                whenUnsatisfiable,
                selector,
                minDomains,
                nodeAffinityPolicy,
                nodeTaintsPolicy,
                List.of());
    }

    /** Returns the constraint with more or less skew allowed. */
    public TopologySpreadConstraint withMaxSkew(int skew) {
        return new TopologySpreadConstraint(
                skew,
                topologyKey,
                whenUnsatisfiable,
                labelSelector,
                minDomains,
                nodeAffinityPolicy,
                nodeTaintsPolicy,
                matchLabelKeys);
    }

    public TopologySpreadConstraint withMinDomains(int domains) {
        return new TopologySpreadConstraint(
                maxSkew,
                topologyKey,
                whenUnsatisfiable,
                labelSelector,
                domains,
                nodeAffinityPolicy,
                nodeTaintsPolicy,
                matchLabelKeys);
    }

    public TopologySpreadConstraint withTaintsPolicy(NodeInclusionPolicy policy) {
        return new TopologySpreadConstraint(
                maxSkew,
                topologyKey,
                whenUnsatisfiable,
                labelSelector,
                minDomains,
                nodeAffinityPolicy,
                policy,
                matchLabelKeys);
    }

    /** Returns the constraint, required or preferred. */
    public TopologySpreadConstraint whenUnsatisfiable(WhenUnsatisfiable action) {
        return new TopologySpreadConstraint(
                maxSkew,
                topologyKey,
                action,
                labelSelector,
                minDomains,
                nodeAffinityPolicy,
                nodeTaintsPolicy,
                matchLabelKeys);
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
