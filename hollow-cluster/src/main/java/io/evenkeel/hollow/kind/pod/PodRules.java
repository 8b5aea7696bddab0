package io.evenkeel.hollow.kind.pod;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import io.evenkeel.hollow.kind.field.AmountRules;
import io.evenkeel.hollow.kind.storage.ClaimRules;
import io.evenkeel.hollow.status.FieldErrors;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a pod's spec must satisfy, as far as schedulers and their users meet it. */
public final class PodRules {

    private static final List<String> MUTABLE =
            List.of("activeDeadlineSeconds", "tolerations", "terminationGracePeriodSeconds", "schedulingGates");

    private PodRules() {}

    public static void check(JsonObject spec, FieldErrors errors) {
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

    public static void checkUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
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
}
