package io.evenkeel.config.file;

import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs;
import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs.DefaultingType;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.NamedConstant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Arguments of PodTopologySpread. */
final class TopologySpreadBinder {
    private record Identity(String topologyKey, WhenUnsatisfiable action) {}

    private final Set<Identity> seen = new HashSet<>();

    private TopologySpreadBinder() {}

    static PodTopologySpreadArgs args(MappingFields fields) {
        DefaultingType type = fields.oneOf("defaultingType", NamedConstant.byName(DefaultingType.class))
                .orElse(DefaultingType.SYSTEM);
        List<TopologySpreadConstraint> constraints =
                fields.mappings("defaultConstraints", new TopologySpreadBinder()::constraint);
        if (type == DefaultingType.SYSTEM && !constraints.isEmpty()) {
            fields.error("defaultingType", "must be \"List\" for defaultConstraints to count");
        }
        return new PodTopologySpreadArgs(type, constraints);
    }

    private TopologySpreadConstraint constraint(MappingFields fields) {
        if (!fields.has("maxSkew")) {
            fields.error("maxSkew", "is required and must be at least 1");
        }
        String topologyKey = fields.required("topologyKey");
        if (!topologyKey.isEmpty()) {
            NameRules.qualifiedNameProblem(topologyKey).ifPresent(problem -> fields.error("topologyKey", problem));
        }
        if (fields.has("labelSelector")) {
            fields.error("labelSelector", "must be absent: the selector is deduced for each pod");
        }
        return new TopologySpreadConstraint(
                fields.int32("maxSkew", 1, Range.int32From(1)),
                topologyKey,
                action(fields, topologyKey),
                LabelSelector.NOTHING,
                fields.int32("minDomains", 1, Range.int32From(1)),
                fields.oneOf("nodeAffinityPolicy", NamedConstant.byName(NodeInclusionPolicy.class))
                        .orElse(NodeInclusionPolicy.HONOR),
                fields.oneOf("nodeTaintsPolicy", NamedConstant.byName(NodeInclusionPolicy.class))
                        .orElse(NodeInclusionPolicy.IGNORE),
                fields.list("matchLabelKeys", Cursor::string));
    }

    private WhenUnsatisfiable action(MappingFields fields, String topologyKey) {
        if (!fields.has("whenUnsatisfiable")) {
            fields.error("whenUnsatisfiable", "is required: one of DoNotSchedule, ScheduleAnyway");
        }
        Optional<WhenUnsatisfiable> action =
                fields.oneOf("whenUnsatisfiable", NamedConstant.byName(WhenUnsatisfiable.class));
        if (action.isPresent() && !seen.add(new Identity(topologyKey, action.get()))) {
            fields.error("topologyKey and whenUnsatisfiable are those of an earlier constraint");
        }
        return action.orElse(WhenUnsatisfiable.DO_NOT_SCHEDULE);
    }
}
