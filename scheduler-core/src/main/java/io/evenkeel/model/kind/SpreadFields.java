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
    private static final Map<String, NodeInclusionPolicy> POLICIES = NamedConstant.byName(NodeInclusionPolicy.class);

    static final Message<TopologySpreadConstraint> CONSTRAINT = Message.of(fields -> {
        var maxSkew = fields.requiredInt32("maxSkew", 1);
        var topologyKey = fields.requiredString("topologyKey", 2);
        var whenUnsatisfiable = fields.constant("whenUnsatisfiable", 3, NamedConstant.byName(WhenUnsatisfiable.class));
        var labelSelector = fields.message("labelSelector", 4, SelectorFields.SELECTOR, LabelSelector.NOTHING);
        var minDomains = fields.int32("minDomains", 5, 1);
        var nodeAffinityPolicy = fields.constant("nodeAffinityPolicy", 6, POLICIES, NodeInclusionPolicy.HONOR);
        var nodeTaintsPolicy = fields.constant("nodeTaintsPolicy", 7, POLICIES, NodeInclusionPolicy.IGNORE);
        var matchLabelKeys = fields.strings("matchLabelKeys", 8);
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
