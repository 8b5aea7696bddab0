package io.evenkeel.config.read;

import io.evenkeel.model.NodeSelectorRequirement.Operator;
import io.evenkeel.model.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.TopologySpreadConstraint.WhenUnsatisfiable;
import java.util.Map;

/** The names under which a configuration knows values of the model. */
public final class ModelNames {
    public static final Map<String, WhenUnsatisfiable> ACTIONS = Map.of(
            "DoNotSchedule", WhenUnsatisfiable.DO_NOT_SCHEDULE,
            "ScheduleAnyway", WhenUnsatisfiable.SCHEDULE_ANYWAY);
    public static final Map<String, NodeInclusionPolicy> POLICIES =
            Map.of("Honor", NodeInclusionPolicy.HONOR, "Ignore", NodeInclusionPolicy.IGNORE);
    public static final Map<String, Operator> OPERATORS = Map.of(
            "In", Operator.IN,
            "NotIn", Operator.NOT_IN,
            "Exists", Operator.EXISTS,
            "DoesNotExist", Operator.DOES_NOT_EXIST,
            "Gt", Operator.GT,
            "Lt", Operator.LT);

    private ModelNames() {}
}
