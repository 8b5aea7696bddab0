package io.evenkeel.hollow.kind.pod;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import io.evenkeel.hollow.status.FieldErrors;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The rules of topologySpreadConstraints, in the order in which a real server names violations. */
final class TopologySpreadRules {

    private static final String FIELD = "spec.topologySpreadConstraints";
    private static final String POSITIVE = "must be greater than zero";

    private TopologySpreadRules() {}

    static void check(List<JsonObject> constraints, FieldErrors errors) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < constraints.size(); i++) {
            JsonObject constraint = constraints.get(i);
            String field = FIELD + "[" + i + "]";
            String key = Trees.text(constraint, "topologyKey");
            String action = Trees.text(constraint, "whenUnsatisfiable");
            positive(field + ".maxSkew", Trees.number(constraint, "maxSkew").or(() -> Optional.of(0L)), errors);
            if (key.isEmpty()) {
                errors.required(field + ".topologyKey", "can not be empty");
            }
            errors.oneOf(field + ".whenUnsatisfiable", action, List.of("DoNotSchedule", "ScheduleAnyway"));
            if (!seen.add(key + "\n" + action)) {
                errors.duplicate(field + ".{topologyKey, whenUnsatisfiable}", "\"{%s, %s}\"".formatted(key, action));
            }
            minDomains(field, constraint, action, errors);
            for (String policy : List.of("nodeAffinityPolicy", "nodeTaintsPolicy")) {
                if (constraint.has(policy)) {
                    errors.oneOf(field + "." + policy, Trees.text(constraint, policy), List.of("Honor", "Ignore"));
                }
            }
            if (!Trees.texts(constraint, "matchLabelKeys").isEmpty() && !constraint.has("labelSelector")) {
                errors.forbidden(field + ".matchLabelKeys", "must not be specified when labelSelector is not set");
            }
        }
    }

    private static void minDomains(String field, JsonObject constraint, String action, FieldErrors errors) {
        Optional<Long> minDomains = Trees.number(constraint, "minDomains");
        positive(field + ".minDomains", minDomains, errors);
        if (minDomains.isPresent() && !action.equals("DoNotSchedule")) {
            errors.invalidLiteral(
                    field + ".minDomains",
                    minDomains.get().toString(),
                    "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + action);
        }
    }

    private static void positive(String field, Optional<Long> number, FieldErrors errors) {
        number.filter(value -> value <= 0).ifPresent(value -> errors.invalidLiteral(field, value.toString(), POSITIVE));
    }
}
