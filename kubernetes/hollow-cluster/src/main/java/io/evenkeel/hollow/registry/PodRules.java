package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.NameRules.AmountRules;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Rules for a pod's spec, as far as schedulers and their users meet them. */
final class PodRules {

    private static final List<String> MUTABLE =
            List.of("activeDeadlineSeconds", "tolerations", "terminationGracePeriodSeconds", "schedulingGates");

    private PodRules() {}

    static void check(JsonObject spec, FieldErrors errors) {
        ephemeralClaims(Trees.objects(spec, "volumes"), errors);
        List<JsonObject> containers = Trees.objects(spec, "containers");
        if (containers.isEmpty()) {
            errors.required("spec.containers", "");
        }
        for (int i = 0; i < containers.size(); i++) {
            for (String member : List.of("name", "image")) {
                if (Trees.text(containers.get(i), member).isEmpty()) {
                    errors.required("spec.containers[" + i + "]." + member, "");
                }
            }
        }
        amounts("containers", spec, errors);
        amounts("initContainers", spec, errors);
        if (!Trees.text(spec, "nodeName").isEmpty()
                && !Trees.objects(spec, "schedulingGates").isEmpty()) {
            errors.forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared");
        }
        TopologySpreadRules.check(Trees.objects(spec, "topologySpreadConstraints"), errors);
    }

    private static void ephemeralClaims(List<JsonObject> volumes, FieldErrors errors) {
        for (int i = 0; i < volumes.size(); i++) {
            String field = "spec.volumes[" + i + "].ephemeral.volumeClaimTemplate";
            Optional<JsonObject> claim = Trees.object(volumes.get(i), "ephemeral");
            Optional<JsonObject> template = claim.flatMap(each -> Trees.object(each, "volumeClaimTemplate"));
            if (claim.isPresent() && template.isEmpty()) {
                errors.required(field, "");
            }
            template.map(each -> Trees.object(each, "spec").orElseGet(JsonObject::new))
                    .ifPresent(each -> ClaimRules.check(field + ".spec", each, errors));
        }
    }

    private static void amounts(String kind, JsonObject spec, FieldErrors errors) {
        List<JsonObject> containers = Trees.objects(spec, kind);
        for (int i = 0; i < containers.size(); i++) {
            for (String side : List.of("limits", "requests")) {
                String field = "spec." + kind + "[" + i + "].resources." + side;
                Trees.object(containers.get(i), "resources", side)
                        .ifPresent(amounts -> amounts.entrySet()
                                .forEach(amount -> AmountRules.notNegative(
                                        field + "[" + amount.getKey() + "]",
                                        amount.getValue().getAsString(),
                                        errors)));
            }
        }
    }

    static void checkUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
        List<String> gates = gates(current);
        gates(updated).stream()
                .filter(gate -> !gates.contains(gate))
                .forEach(gate -> errors.forbidden(
                        "spec.schedulingGates",
                        "only deletion is allowed, but found new scheduling gate '" + gate + "'"));
        if (!fixedPart(updated, !gates.isEmpty()).equals(fixedPart(current, !gates.isEmpty()))) {
            errors.forbidden(
                    "spec",
                    "pod updates may not change fields other than"
                            + " `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations`"
                            + " (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to"
                            + " be set to 1 if it was previously negative)");
        }
    }

    private static JsonObject fixedPart(JsonObject spec, boolean gated) {
        JsonObject fixed = spec.deepCopy();
        MUTABLE.forEach(fixed::remove);
        if (gated) {
            fixed.remove("nodeSelector");
            Trees.object(fixed, "affinity").ifPresent(affinity -> affinity.remove("nodeAffinity"));
            if (Trees.object(fixed, "affinity").filter(JsonObject::isEmpty).isPresent()) {
                fixed.remove("affinity");
            }
        }
        Trees.objects(fixed, "containers").forEach(container -> container.remove("image"));
        Trees.objects(fixed, "initContainers").forEach(container -> container.remove("image"));
        return fixed;
    }

    private static List<String> gates(JsonObject spec) {
        return Trees.objects(spec, "schedulingGates").stream()
                .map(gate -> Trees.text(gate, "name"))
                .collect(Collectors.toList());
    }

    /** The rules of topologySpreadConstraints, in the order in which a real server names violations. */
    private static final class TopologySpreadRules {

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
                    errors.duplicate(
                            field + ".{topologyKey, whenUnsatisfiable}", "\"{%s, %s}\"".formatted(key, action));
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
            number.filter(value -> value <= 0)
                    .ifPresent(value -> errors.invalidLiteral(field, value.toString(), POSITIVE));
        }
    }
}
