package io.evenkeel.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code affinity.nodeAffinity}. */
final class NodeAffinityReader {
    static final Map<String, NodeSelectorRequirement.Operator> OPERATORS = Map.of(
            "In", NodeSelectorRequirement.Operator.IN,
            "NotIn", NodeSelectorRequirement.Operator.NOT_IN,
            "Exists", NodeSelectorRequirement.Operator.EXISTS,
            "DoesNotExist", NodeSelectorRequirement.Operator.DOES_NOT_EXIST,
            "Gt", NodeSelectorRequirement.Operator.GT,
            "Lt", NodeSelectorRequirement.Operator.LT);

    private NodeAffinityReader() {}

    static NodeAffinity read(JsonCursor in) {
        Optional<NodeSelector> required = Optional.empty();
        List<PreferredSchedulingTerm> preferred = List.of();
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "requiredDuringSchedulingIgnoredDuringExecution" -> required = Optional.of(readSelector(in));
                case "preferredDuringSchedulingIgnoredDuringExecution" ->
                    preferred = in.list(NodeAffinityReader::readPreferred);
                default -> in.skip();
            }
        }
        return new NodeAffinity(required, preferred);
    }

    private static NodeSelector readSelector(JsonCursor in) {
        List<NodeSelectorTerm> terms = List.of();
        in.enterObject();
        while (in.nextField()) {
            if (in.field().equals("nodeSelectorTerms")) {
                terms = in.list(NodeAffinityReader::readTerm);
            } else {
                in.skip();
            }
        }
        return new NodeSelector(terms);
    }

    private static PreferredSchedulingTerm readPreferred(JsonCursor in) {
        int weight = 0;
        NodeSelectorTerm preference = new NodeSelectorTerm(List.of(), List.of());
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "weight" -> weight = in.integer();
                case "preference" -> preference = readTerm(in);
                default -> in.skip();
            }
        }
        return new PreferredSchedulingTerm(weight, preference);
    }

    private static NodeSelectorTerm readTerm(JsonCursor in) {
        List<NodeSelectorRequirement> matchExpressions = List.of();
        List<NodeSelectorRequirement> matchFields = List.of();
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "matchExpressions" -> matchExpressions = in.list(NodeAffinityReader::readRequirement);
                case "matchFields" -> matchFields = in.list(NodeAffinityReader::readRequirement);
                default -> in.skip();
            }
        }
        return new NodeSelectorTerm(matchExpressions, matchFields);
    }

    private static NodeSelectorRequirement readRequirement(JsonCursor in) {
        String key = "";
        Optional<NodeSelectorRequirement.Operator> operator = Optional.empty();
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
        return new NodeSelectorRequirement(key, operator.orElseThrow(() -> in.missing("operator")), values);
    }
}
