package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import io.evenkeel.hollow.status.FieldErrors;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** PlacementPolicies of evenkeel.io, by the schema of their definition. */
final class PolicyStrategy extends ReconciledStrategy {
    private static final Map<String, Long> LARGEST = new LinkedHashMap<>();

    static {
        LARGEST.put("maxPods", (long) Integer.MAX_VALUE);
        LARGEST.put("maxPercent", 100L);
        LARGEST.put("maxDomains", (long) Integer.MAX_VALUE);
        LARGEST.put("maxSkew", (long) Integer.MAX_VALUE);
        LARGEST.put("relaxAfterSeconds", (long) Integer.MAX_VALUE);
    }

    private final boolean namespaced;

    PolicyStrategy(boolean namespaced) {
        this.namespaced = namespaced;
    }

    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        require(tree, "selector", errors);
        if (!namespaced) {
            require(tree, "namespaceSelector", errors);
        }
        JsonObject spec = Trees.object(tree, "spec").orElseGet(JsonObject::new);
        oneOf("spec.", spec, "leavingPods", List.of("Count", "Ignore"), errors);
        oneOf("spec.", spec, "podDeletionCost", List.of("Unmanaged", "Managed"), errors);
        List<JsonObject> rules = Trees.objects(tree, "spec", "rules");
        if (rules.isEmpty()) {
            errors.required("spec.rules", "");
        }
        for (int i = 0; i < rules.size(); i++) {
            validateRule("spec.rules[" + i + "]", rules.get(i), errors);
        }
    }

    private static void require(JsonObject tree, String field, FieldErrors errors) {
        if (Trees.object(tree, "spec", field).isEmpty()) {
            errors.required("spec." + field, "");
        }
    }

    private static void oneOf(String place, JsonObject tree, String field, List<String> supported, FieldErrors errors) {
        String value = Trees.text(tree, field);
        if (!value.isEmpty()) {
            errors.oneOf(place + field, value, supported);
        }
    }

    private static void validateRule(String place, JsonObject rule, FieldErrors errors) {
        if (Trees.text(rule, "topologyKey").isEmpty()) {
            errors.required(place + ".topologyKey", "");
        }
        oneOf(place + ".", rule, "whenUnsatisfiable", List.of("DoNotSchedule", "ScheduleAnyway"), errors);
        LARGEST.forEach((name, most) -> Trees.number(rule, name).ifPresent(number -> {
            String field = place + "." + name;
            if (number < 1) {
                errors.invalidLiteral(
                        field, number.toString(), field + " in body should be greater than or equal to 1");
            } else if (number > most) {
                errors.invalidLiteral(
                        field, number.toString(), field + " in body should be less than or equal to " + most);
            }
        }));
    }
}
