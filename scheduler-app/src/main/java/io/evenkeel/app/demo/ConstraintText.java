package io.evenkeel.app.demo;

import io.evenkeel.model.TopologySpreadConstraint;
import io.evenkeel.model.TopologySpreadConstraint.NodeInclusionPolicy;

/** A spread constraint in one line, in the API's words; what is as by default is left out. */
final class ConstraintText {
    private ConstraintText() {}

    static String of(TopologySpreadConstraint constraint) {
        StringBuilder text = new StringBuilder("over ")
                .append(constraint.topologyKey())
                .append(": maxSkew ")
                .append(constraint.maxSkew())
                .append(constraint.isHard() ? ", DoNotSchedule" : ", ScheduleAnyway");
        if (constraint.minDomains() > 1) {
            text.append(", minDomains ").append(constraint.minDomains());
        }
        if (constraint.nodeTaintsPolicy() == NodeInclusionPolicy.HONOR) {
            text.append(", nodeTaintsPolicy Honor");
        }
        if (!constraint.matchLabelKeys().isEmpty()) {
            text.append(", matchLabelKeys ").append(constraint.matchLabelKeys());
        }
        return text.toString();
    }
}
