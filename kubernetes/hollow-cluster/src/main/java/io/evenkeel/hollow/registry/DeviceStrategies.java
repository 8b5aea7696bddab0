package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Strategy.Trait;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The strategies of the kinds of devices.
 *
 * @param isForAdministrators whether claims in a namespace may ask for devices in use
 */
record DeviceStrategies(Predicate<String> isForAdministrators, Supplier<String> now) {
    private static final String EXACT_COUNT = "ExactCount";

    Strategy claims() {
        return new Strategy(DeviceStrategies::completeClaim, Trait.STATUS, Trait.RECONCILED, Trait.RETURNED) {
            @Override
            void validate(JsonObject tree, FieldErrors errors) {
                DeviceClaimRules.check(tree, "spec", isForAdministrators, errors);
            }

            @Override
            void validateUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
                Immutable.check("spec", updated, current, errors);
            }

            @Override
            void prepareForStatusUpdate(JsonObject updated, JsonObject current) {
                DeviceClaimRules.prepareStatus(updated, current);
            }

            @Override
            void validateStatusUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
                DeviceClaimRules.checkStatus(updated, current, isForAdministrators, errors);
            }
        };
    }

    Strategy templates() {
        return new Strategy(DeviceStrategies::completeTemplate, Trait.RETURNED) {
            @Override
            void validate(JsonObject tree, FieldErrors errors) {
                DeviceClaimRules.check(tree, "spec.spec", isForAdministrators, errors);
            }

            @Override
            void validateUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
                Immutable.check("spec", updated, current, errors);
            }
        };
    }

    Strategy classes() {
        return new Strategy(Trait.GENERATION, Trait.RETURNED) {
            @Override
            void validate(JsonObject tree, FieldErrors errors) {
                DeviceClaimRules.checkClass(tree, errors);
            }
        };
    }

    Strategy slices() {
        return new Strategy(this::completeSlice, Trait.GENERATION, Trait.RETURNED) {
            @Override
            void validate(JsonObject tree, FieldErrors errors) {
                ResourceSliceRules.check(tree, errors);
            }

            @Override
            void validateUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
                ResourceSliceRules.checkUpdate(updated, current, errors);
            }
        };
    }

    Strategy taintRules() {
        return new Strategy(
                tree -> Trees.object(tree, "spec", "taint").ifPresent(this::dateTaint),
                Trait.STATUS,
                Trait.RECONCILED,
                Trait.GENERATION,
                Trait.RETURNED) {
            @Override
            void validate(JsonObject tree, FieldErrors errors) {
                ResourceSliceRules.checkTaintRule(tree, errors);
            }
        };
    }

    private void completeSlice(JsonObject tree) {
        Trees.objects(tree, "spec", "devices")
                .forEach(device -> Trees.objects(device, "taints").forEach(this::dateTaint));
    }

    private void dateTaint(JsonObject taint) {
        Trees.fill(taint, "timeAdded", now.get());
    }

    private static void completeClaim(JsonObject tree) {
        completeRequests(Trees.ensureObject(tree, "spec"));
        Trees.ensureObject(tree, "status");
    }

    private static void completeTemplate(JsonObject tree) {
        completeRequests(Trees.ensureObject(Trees.ensureObject(tree, "spec"), "spec"));
    }

    /** A scheduler refuses a claim without these. */
    private static void completeRequests(JsonObject spec) {
        for (JsonObject request : Trees.objects(spec, "devices", "requests")) {
            Trees.object(request, "exactly").ifPresent(DeviceStrategies::completeRequest);
            Trees.objects(request, "firstAvailable").forEach(DeviceStrategies::completeRequest);
        }
    }

    private static void completeRequest(JsonObject request) {
        Trees.fill(request, "allocationMode", EXACT_COUNT);
        if (Trees.text(request, "allocationMode").equals(EXACT_COUNT)) {
            Trees.fill(request, "count", 1);
        }
        Trees.objects(request, "tolerations").forEach(toleration -> Trees.fill(toleration, "operator", "Equal"));
    }
}
