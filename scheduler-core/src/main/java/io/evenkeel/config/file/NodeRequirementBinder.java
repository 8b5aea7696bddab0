package io.evenkeel.config.file;

import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.value.NamedConstant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One requirement on a node. */
final class NodeRequirementBinder {
    private static final Map<String, Operator> OPERATORS = NamedConstant.byName(Operator.class);
    private static final Map<String, Operator> FIELD_OPERATORS =
            Map.of(Operator.IN.apiName(), Operator.IN, Operator.NOT_IN.apiName(), Operator.NOT_IN);

    private NodeRequirementBinder() {}

    static NodeSelectorRequirement onLabels(MappingFields fields) {
        String key = fields.required("key");
        if (!key.isEmpty()) {
            NameRules.qualifiedNameProblem(key).ifPresent(problem -> fields.error("key", problem));
        }
        Optional<Operator> operator = operator(fields, OPERATORS);
        List<String> values = values(fields);
        for (String value : values) {
            NameRules.labelValueProblem(value).ifPresent(problem -> fields.error("values", problem));
        }
        if (operator.isPresent() && allRead(values, fields)) {
            checkValues(operator.get(), values, fields);
        }
        return new NodeSelectorRequirement(key, operator.orElse(Operator.IN), values);
    }

    static NodeSelectorRequirement onFields(MappingFields fields) {
        Optional<Operator> operator = operator(fields, FIELD_OPERATORS);
        List<String> values = values(fields);
        if (operator.isPresent() && allRead(values, fields)) {
            require(values.size() == 1, "must have exactly one element in matchFields", fields);
        }
        return new NodeSelectorRequirement(fields.required("key"), operator.orElse(Operator.IN), values);
    }

    private static Optional<Operator> operator(MappingFields fields, Map<String, Operator> operators) {
        if (!fields.has("operator")) {
            fields.error("operator", "is required");
        }
        return fields.oneOf("operator", operators);
    }

    private static List<String> values(MappingFields fields) {
        return fields.list("values", Cursor::string);
    }

    private static boolean allRead(List<String> values, MappingFields fields) {
        return values.size() == fields.size("values");
    }

    private static void checkValues(Operator operator, List<String> values, MappingFields fields) {
        switch (operator) {
            case IN, NOT_IN -> require(!values.isEmpty(), "must not be empty with In and NotIn", fields);
            case EXISTS, DOES_NOT_EXIST ->
                require(values.isEmpty(), "must be empty with Exists and DoesNotExist", fields);
            case GT, LT ->
                require(
                        values.size() == 1 && isInteger(values.getFirst()),
                        "must be one integer with Gt and Lt, in quotes",
                        fields);
        }
    }

    private static void require(boolean holds, String message, MappingFields fields) {
        if (!holds) {
            fields.error("values", message);
        }
    }

    private static boolean isInteger(String value) {
        try {
            Long.parseLong(value);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
