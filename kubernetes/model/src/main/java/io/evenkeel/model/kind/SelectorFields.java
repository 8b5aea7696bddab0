package io.evenkeel.model.kind;

import io.evenkeel.model.decode.Message;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.NamedConstant;

/** Label selectors that are present; what an absent one means is for the field it would stand in. */
final class SelectorFields {
    private static final Message<LabelRequirement> REQUIREMENT = Message.of(fields -> {
        var key = fields.string("key", 1).from(LabelRequirement::key);
        var operator = fields.constant("operator", 2, NamedConstant.byName(LabelRequirement.Operator.class))
                .from(LabelRequirement::operator);
        var values = fields.values("values", 3).from(LabelRequirement::values);
        return read -> new LabelRequirement(read.get(key), read.get(operator), read.get(values));
    });

    static final Message<LabelSelector> SELECTOR = Message.of(fields -> {
        var matchLabels = fields.labels("matchLabels", 1).from((LabelSelector _) -> Labels.EMPTY);
        var matchExpressions = fields.list("matchExpressions", 2, REQUIREMENT).from(LabelSelector::requirements);
        return read -> LabelSelector.matchingLabels(read.get(matchLabels)).and(read.get(matchExpressions));
    });

    private SelectorFields() {}
}
