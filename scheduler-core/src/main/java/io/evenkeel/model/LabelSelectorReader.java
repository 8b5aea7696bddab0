package io.evenkeel.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads label selectors that are present; an absent one is its owner's to know. */
final class LabelSelectorReader {
    static final Map<String, LabelRequirement.Operator> OPERATORS = Map.of(
            "In", LabelRequirement.Operator.IN,
            "NotIn", LabelRequirement.Operator.NOT_IN,
            "Exists", LabelRequirement.Operator.EXISTS,
            "DoesNotExist", LabelRequirement.Operator.DOES_NOT_EXIST);

    private LabelSelectorReader() {}

    static LabelSelector read(JsonCursor in) {
        Labels matchLabels = Labels.EMPTY;
        List<LabelRequirement> matchExpressions = List.of();
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "matchLabels" -> matchLabels = in.labels();
                case "matchExpressions" -> matchExpressions = in.list(LabelSelectorReader::readRequirement);
                default -> in.skip();
            }
        }
        return LabelSelector.matchingLabels(matchLabels).and(matchExpressions);
    }

    private static LabelRequirement readRequirement(JsonCursor in) {
        String key = "";
        Optional<LabelRequirement.Operator> operator = Optional.empty();
        List<String> values = List.of();
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "key" -> key = in.sharedString();
                case "operator" -> operator = Optional.of(in.oneOf(OPERATORS));
                case "values" -> values = in.strings();
                default -> in.skip();
            }
        }
        return new LabelRequirement(key, operator.orElseThrow(() -> in.missing("operator")), values);
    }
}
