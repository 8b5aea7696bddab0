package io.evenkeel.model.kind;

import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeAffinity.PreferredSchedulingTerm;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.value.NamedConstant;
import java.util.List;

/** A pod's {@code nodeAffinity}, and selectors of nodes. */
final class NodeAffinityFields {
    private static final Message<NodeSelectorRequirement> REQUIREMENT = Message.of(fields -> {
        var key = fields.string("key", 1).from(NodeSelectorRequirement::key);
        var operator = fields.constant("operator", 2, NamedConstant.byName(NodeSelectorRequirement.Operator.class))
                .from(NodeSelectorRequirement::operator);
        var values = fields.values("values", 3).from(NodeSelectorRequirement::values);
        return read -> new NodeSelectorRequirement(read.get(key), read.get(operator), read.get(values));
    });

    private static final Message<NodeSelectorTerm> TERM = Message.of(fields -> {
        var matchExpressions = fields.list("matchExpressions", 1, REQUIREMENT).from(NodeSelectorTerm::matchExpressions);
        var matchFields = fields.list("matchFields", 2, REQUIREMENT).from(NodeSelectorTerm::matchFields);
        return read -> new NodeSelectorTerm(read.get(matchExpressions), read.get(matchFields));
    });

    static final Message<NodeSelector> SELECTOR = Message.of(fields -> {
        var terms = fields.list("nodeSelectorTerms", 1, TERM).from(NodeSelector::terms);
        return read -> new NodeSelector(read.get(terms));
    });

    private static final Message<PreferredSchedulingTerm> PREFERRED_TERM = Message.of(fields -> {
        var weight = fields.int32("weight", 1, 0).from(PreferredSchedulingTerm::weight);
        var preference = fields.message("preference", 2, TERM, new NodeSelectorTerm(List.of(), List.of()))
                .from(PreferredSchedulingTerm::preference);
        return read -> new PreferredSchedulingTerm(read.get(weight), read.get(preference));
    });

    static final Message<NodeAffinity> NODE_AFFINITY = Message.of(fields -> {
        var required = fields.optional(AffinityFields.REQUIRED, 1, SELECTOR).from(NodeAffinity::required);
        var preferred = fields.list(AffinityFields.PREFERRED, 2, PREFERRED_TERM).from(NodeAffinity::preferred);
        return read -> new NodeAffinity(read.get(required), read.get(preferred));
    });

    private NodeAffinityFields() {}
}
