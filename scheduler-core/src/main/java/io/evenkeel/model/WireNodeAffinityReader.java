package io.evenkeel.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads {@code nodeAffinity}: {@code {1: required, 2: preferred}}. */
final class WireNodeAffinityReader {
    private final WireValues values;

    WireNodeAffinityReader(WireValues values) {
        this.values = values;
    }

    NodeAffinity read(WireCursor in) {
        Optional<NodeSelector> required = Optional.empty();
        List<PreferredSchedulingTerm> preferred = new ArrayList<>();
        while (in.next()) {
            switch (in.field()) {
                case 1 -> required = Optional.of(readSelector(in.message()));
                case 2 -> preferred.add(readPreferred(in.message()));
                default -> {}
            }
        }
        return new NodeAffinity(required, List.copyOf(preferred));
    }

    private NodeSelector readSelector(WireCursor in) {
        return new NodeSelector(WireValues.list(in, 1, term -> readTerm(term.message())));
    }

    private PreferredSchedulingTerm readPreferred(WireCursor in) {
        int weight = 0;
        NodeSelectorTerm preference = new NodeSelectorTerm(List.of(), List.of());
        while (in.next()) {
            switch (in.field()) {
                case 1 -> weight = in.int32();
                case 2 -> preference = readTerm(in.message());
                default -> {}
            }
        }
        return new PreferredSchedulingTerm(weight, preference);
    }

    private NodeSelectorTerm readTerm(WireCursor in) {
        List<NodeSelectorRequirement> matchExpressions = new ArrayList<>();
        List<NodeSelectorRequirement> matchFields = new ArrayList<>();
        while (in.next()) {
            switch (in.field()) {
                case 1 -> matchExpressions.add(readRequirement(in.message()));
                case 2 -> matchFields.add(readRequirement(in.message()));
                default -> {}
            }
        }
        return new NodeSelectorTerm(List.copyOf(matchExpressions), List.copyOf(matchFields));
    }

    private NodeSelectorRequirement readRequirement(WireCursor in) {
        String key = "";
        Optional<NodeSelectorRequirement.Operator> operator = Optional.empty();
        List<String> required = new ArrayList<>();
        while (in.next()) {
            switch (in.field()) {
                case 1 -> key = values.string(in);
                case 2 -> operator = Optional.of(values.oneOf(NodeAffinityReader.OPERATORS, in, "operator"));
                case 3 -> required.add(values.string(in));
                default -> {}
            }
        }
        return new NodeSelectorRequirement(
                key, operator.orElseThrow(() -> WireValues.missing("operator")), List.copyOf(required));
    }
}
