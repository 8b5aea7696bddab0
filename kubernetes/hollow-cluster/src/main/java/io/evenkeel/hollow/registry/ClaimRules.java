package io.evenkeel.hollow.registry;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.NameRules.AmountRules;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Function;

/** The rules of PersistentVolumeClaims, in the order in which a real server names violations. */
final class ClaimRules {

    private ClaimRules() {}

    static void check(JsonObject tree, FieldErrors errors) {
        check("spec", Trees.ensureObject(tree, "spec"), errors);
    }

    /** Checks the spec of a claim, or of a template for claims, which stands in {@code field}. */
    static void check(String field, JsonObject spec, FieldErrors errors) {
        Trees.object(spec, "selector")
                .ifPresent(selector -> SelectorRules.labels(field + ".selector", selector, errors));
        AccessModes.check(field + ".accessModes", spec, "at least 1 access mode is required", errors);
        String requested = Trees.text(spec, "resources", "requests", "storage");
        if (requested.isEmpty()) {
            errors.required(field + ".resources[storage]", "");
        } else {
            AmountRules.positive(field + ".resources[storage]", requested, errors);
        }
        className(field, spec, "storageClassName", errors);
        if (spec.has("volumeMode")) {
            errors.oneOf(field + ".volumeMode", Trees.text(spec, "volumeMode"), VolumeRules.MODES);
        }
        className(field, spec, "volumeAttributesClassName", errors);
    }

    private static void className(String field, JsonObject spec, String member, FieldErrors errors) {
        String name = Trees.text(spec, member);
        if (!name.isEmpty()) {
            NameRules.subdomain(field + "." + member, name, errors);
        }
    }

    static void checkUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
        JsonObject wanted = Trees.ensureObject(updated, "spec");
        SortedSet<String> changed = Immutable.changed(inUnits(allowed(updated, current)), inUnits(wanted));
        if (!changed.isEmpty()) {
            errors.forbidden(
                    "spec",
                    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound"
                            + " claims\nchanged: " + String.join(", ", changed));
        }
        Quantity requested = requested(updated);
        if (requested.compareTo(requested(current)) < 0
                && requested.compareTo(amount(current, "status", "capacity", "storage")) <= 0) {
            errors.forbidden("spec.resources.requests.storage", "field can not be less than status.capacity");
        }
        String mode = Trees.text(updated, "spec", "volumeMode");
        if (!mode.equals(Trees.text(current, "spec", "volumeMode"))) {
            errors.invalid("volumeMode", mode, Immutable.WHY);
        }
    }

    /**
     * Refuses the growth of a claim where its class does not allow it.
     *
     * @param storageClasses finds a StorageClass by its name
     */
    static void admitUpdate(
            JsonObject updated, JsonObject current, Function<String, Optional<JsonObject>> storageClasses) {
        boolean grows = requested(updated).compareTo(requested(current)) > 0;
        boolean allowed = storageClasses
                .apply(Trees.text(updated, "spec", "storageClassName"))
                .filter(storageClass -> Trees.isTrue(storageClass, "allowVolumeExpansion"))
                .isPresent();
        if (grows && !allowed) {
            throw Refusals.forbidden(
                    ResourceTable.PERSISTENT_VOLUME_CLAIMS,
                    Trees.text(current, "metadata", "name"),
                    "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must"
                            + " support resize");
        }
    }

    private static Quantity requested(JsonObject tree) {
        return amount(tree, "spec", "resources", "requests", "storage");
    }

    private static Quantity amount(JsonObject tree, String... path) {
        String amount = Trees.text(tree, path);
        return amount.isEmpty() ? Quantity.ZERO : Quantity.parse(amount);
    }

    /** The spec that was, with the wanted changes that are allowed in the state of the claim. */
    private static JsonObject allowed(JsonObject updated, JsonObject current) {
        JsonObject wanted = Trees.ensureObject(updated, "spec");
        JsonObject spec = Trees.ensureObject(current, "spec").deepCopy();
        if (Trees.text(spec, "volumeName").isEmpty()) {
            take("volumeName", wanted, spec);
        }
        if (!spec.has("storageClassName")) {
            take("storageClassName", wanted, spec);
        }
        if (Trees.text(current, "status", "phase").equals("Bound")) {
            take("volumeAttributesClassName", wanted, spec);
            takeStorage(wanted, spec);
        }
        return spec;
    }

    private static void takeStorage(JsonObject from, JsonObject to) {
        JsonObject resources = Trees.ensureObject(to, "resources");
        JsonObject requests = Trees.ensureObject(resources, "requests");
        take("storage", Trees.object(from, "resources", "requests").orElseGet(JsonObject::new), requests);
        if (requests.isEmpty()) {
            take("requests", Trees.object(from, "resources").orElseGet(JsonObject::new), resources);
        }
    }

    private static void take(String member, JsonObject from, JsonObject to) {
        Optional<JsonElement> value = Trees.at(from, member);
        to.remove(member);
        value.ifPresent(each -> to.add(member, each.deepCopy()));
    }

    /** With all amounts in the units in which they are shortest. */
    private static JsonObject inUnits(JsonObject spec) {
        JsonObject copy = spec.deepCopy();
        for (String kind : List.of("limits", "requests")) {
            Trees.object(copy, "resources", kind)
                    .ifPresent(amounts -> amounts.entrySet()
                            .forEach(amount -> amounts.addProperty(
                                    amount.getKey(),
                                    Quantity.parse(amount.getValue().getAsString())
                                            .toString())));
        }
        return copy;
    }

    /** How often and how a volume is used at once. */
    static final class AccessModes {

        private static final String ALONE = "ReadWriteOncePod";
        private static final List<String> ALL = List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", ALONE);

        private AccessModes() {}

        static void check(String field, JsonObject spec, String whyRequired, FieldErrors errors) {
            List<String> modes = Trees.texts(spec, "accessModes");
            if (modes.isEmpty()) {
                errors.required(field, whyRequired);
            }
            modes.forEach(mode -> errors.oneOf(field, mode, ALL));
            if (modes.contains(ALONE) && modes.stream().anyMatch(mode -> !mode.equals(ALONE) && ALL.contains(mode))) {
                errors.forbidden(field, "may not use ReadWriteOncePod with other access modes");
            }
        }
    }
}
