package io.evenkeel.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads label selectors: {@code {1: matchLabels, 2: matchExpressions}}. */
final class WireSelectorReader {
    private final WireValues values;

    WireSelectorReader(WireValues values) {
        this.values = values;
    }

    LabelSelector read(WireCursor in) {
        Map<String, String> matchLabels = new TreeMap<>();
        List<LabelRequirement> matchExpressions = new ArrayList<>();
        while (in.next()) {
            switch (in.field()) {
                case 1 -> values.addLabel(in, matchLabels);
                case 2 -> matchExpressions.add(readRequirement(in.message()));
                default -> {}
            }
        }
        return LabelSelector.matchingLabels(matchLabels).and(matchExpressions);
    }

    private LabelRequirement readRequirement(WireCursor in) {
        String key = "";
        Optional<LabelRequirement.Operator> operator = Optional.empty();
        List<String> required = new ArrayList<>();
        while (in.next()) {
            switch (in.field()) {
                case 1 -> key = values.string(in);
                case 2 -> operator = Optional.of(values.oneOf(LabelSelectorReader.OPERATORS, in, "operator"));
                case 3 -> required.add(values.string(in));
                default -> {}
            }
        }
        return new LabelRequirement(key, operator.orElseThrow(() -> WireValues.missing("operator")), required);
    }
}
