package io.evenkeel.model.kind;

import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.NamedConstant;
import java.util.Map;

/** A pod's {@code topologySpreadConstraints}. */
final class SpreadFields {
    private static final Map<String, WhenUnsatisfiable> ACTIONS = NamedConstant.byName(WhenUnsatisfiable.class);
    private static final Map<String, NodeInclusionPolicy> POLICIES = NamedConstant.byName(NodeInclusionPolicy.class);

    static final Message<TopologySpreadConstraint> CONSTRAINT = Message.of(fields -> {
        var maxSkew = fields.requiredInt32("maxSkew", 1).from(TopologySpreadConstraint::maxSkew);
        var topologyKey = fields.requiredString("topologyKey", 2).from(TopologySpreadConstraint::topologyKey);
        var whenUnsatisfiable = fields.constant("whenUnsatisfiable", 3, ACTIONS)
                .from((TopologySpreadConstraint one) -> one.whenUnsatisfiable());
        var labelSelector = fields.message("labelSelector", 4, SelectorFields.SELECTOR, LabelSelector.NOTHING)
                .from(TopologySpreadConstraint::labelSelector);
        var minDomains = fields.int32("minDomains", 5, 1).from(TopologySpreadConstraint::minDomains);
        var nodeAffinityPolicy = fields.constant("nodeAffinityPolicy", 6, POLICIES, NodeInclusionPolicy.HONOR)
                .from(TopologySpreadConstraint::nodeAffinityPolicy);
        var nodeTaintsPolicy = fields.constant("nodeTaintsPolicy", 7, POLICIES, NodeInclusionPolicy.IGNORE)
                .from(TopologySpreadConstraint::nodeTaintsPolicy);
        var matchLabelKeys = fields.strings("matchLabelKeys", 8).from(TopologySpreadConstraint::matchLabelKeys);
        return read -> {
            String key = read.get(topologyKey);
            return new TopologySpreadConstraint(
                    read.get(maxSkew),
                    key,
                    read.get(whenUnsatisfiable),
                    read.get(labelSelector),
                    read.get(minDomains),
                    read.get(nodeAffinityPolicy),
                    read.get(nodeTaintsPolicy),
                    read.get(matchLabelKeys));
        };
    });

    private SpreadFields() {}
}
