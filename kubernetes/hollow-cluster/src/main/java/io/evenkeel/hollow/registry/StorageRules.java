package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.NameRules.AmountRules;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The rules of the kinds of storage but claims and volumes, in the order in which a real server names violations. */
final class StorageRules {
    private static final int MOST_PARAMETERS = 512;
    private static final int LONGEST_PARAMETERS = 256 * 1024;
    private static final int SHORTEST_TOKEN = 600;
    private static final int SHORTEST_PERIOD = 10;
    private static final int LONGEST_ID = 256;
    private static final String ONE_SOURCE = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";

    private StorageRules() {}

    static void checkClass(JsonObject tree, FieldErrors errors) {
        String provisioner = Trees.text(tree, "provisioner");
        if (provisioner.isEmpty()) {
            errors.required("provisioner", "");
        } else {
            NameRules.labelKey("provisioner", provisioner.toLowerCase(Locale.ROOT), errors);
        }
        Trees.object(tree, "parameters").ifPresent(parameters -> parameters(parameters, errors));
        String policy = Trees.text(tree, "reclaimPolicy");
        if (!policy.isEmpty()) {
            errors.oneOf("reclaimPolicy", policy, List.of("Delete", "Retain"));
        }
        errors.oneOf(
                "volumeBindingMode",
                Trees.text(tree, "volumeBindingMode"),
                List.of("Immediate", "WaitForFirstConsumer"));
        topologies(Trees.objects(tree, "allowedTopologies"), errors);
    }

    private static void parameters(JsonObject parameters, FieldErrors errors) {
        if (parameters.size() > MOST_PARAMETERS) {
            errors.tooLong("parameters", MOST_PARAMETERS);
            return;
        }
        if (parameters.has("")) {
            errors.invalid("parameters", "", "field can not be empty.");
        }
        int length = parameters.entrySet().stream()
                .mapToInt(each ->
                        each.getKey().length() + each.getValue().getAsString().length())
                .sum();
        if (length > LONGEST_PARAMETERS) {
            errors.tooLong("parameters", LONGEST_PARAMETERS);
        }
    }

    /** Terms must differ; one without expressions is like none at all, and a real server says it in the same words. */
    private static void topologies(List<JsonObject> terms, FieldErrors errors) {
        Set<Map<String, Set<String>>> seen = new HashSet<>();
        seen.add(Map.of());
        for (int i = 0; i < terms.size(); i++) {
            String field = "allowedTopologies[" + i + "].matchLabelExpressions";
            if (!seen.add(expressions(field, Trees.objects(terms.get(i), "matchLabelExpressions"), errors))) {
                errors.duplicate(field, "\"\"");
            }
        }
    }

    private static Map<String, Set<String>> expressions(
            String field, List<JsonObject> expressions, FieldErrors errors) {
        Map<String, Set<String>> all = new HashMap<>();
        for (int i = 0; i < expressions.size(); i++) {
            String expression = field + "[" + i + "]";
            String key = Trees.text(expressions.get(i), "key");
            List<String> values = Trees.texts(expressions.get(i), "values");
            if (values.isEmpty()) {
                errors.required(expression + ".values", "");
            }
            Set<String> distinct = new HashSet<>();
            for (int j = 0; j < values.size(); j++) {
                if (!distinct.add(values.get(j))) {
                    errors.duplicate(expression + ".values[" + j + "]", '"' + values.get(j) + '"');
                }
            }
            NameRules.labelKey(expression + ".key", key, errors);
            if (all.putIfAbsent(key, distinct) != null) {
                errors.duplicate(expression + ".key", '"' + key + '"');
            }
        }
        return all;
    }

    static void checkClassUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
        Immutable.check("parameters", updated, current, errors);
        List.of("provisioner", "reclaimPolicy", "volumeBindingMode")
                .forEach(text -> Immutable.text(text, updated, current, errors));
    }

    static void checkDriver(JsonObject tree, FieldErrors errors) {
        JsonObject spec = Trees.ensureObject(tree, "spec");
        errors.oneOf(
                "spec.fsGroupPolicy",
                Trees.text(spec, "fsGroupPolicy"),
                List.of("File", "None", "ReadWriteOnceWithFSType"));
        tokens(Trees.objects(spec, "tokenRequests"), errors);
        Trees.texts(spec, "volumeLifecycleModes")
                .forEach(mode -> errors.oneOf("spec.volumeLifecycleModes", mode, List.of("Persistent", "Ephemeral")));
        Trees.number(spec, "nodeAllocatableUpdatePeriodSeconds")
                .filter(seconds -> seconds < SHORTEST_PERIOD)
                .ifPresent(seconds -> errors.invalidLiteral(
                        "spec.nodeAllocatableUpdatePeriodSeconds",
                        seconds.toString(),
                        "must be greater than or equal to 10 seconds"));
    }

    private static void tokens(List<JsonObject> tokens, FieldErrors errors) {
        Set<String> audiences = new HashSet<>();
        for (int i = 0; i < tokens.size(); i++) {
            String field = "spec.tokenRequests[" + i + "]";
            String audience = Trees.text(tokens.get(i), "audience");
            if (!audiences.add(audience)) {
                errors.duplicate(field + ".audience", '"' + audience + '"');
                continue;
            }
            Trees.number(tokens.get(i), "expirationSeconds")
                    .filter(seconds -> seconds < SHORTEST_TOKEN)
                    .ifPresent(seconds -> errors.invalidLiteral(
                            field + ".expirationSeconds",
                            seconds.toString(),
                            "may not specify a duration less than 10 minutes"));
        }
    }

    static void checkDriverUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
        JsonObject after = Trees.ensureObject(updated, "spec");
        JsonObject before = Trees.ensureObject(current, "spec");
        // a real server gives the first field a name that it has not
        Immutable.check("spec.attachedRequired", "attachRequired", after, before, errors);
        Immutable.check("spec.volumeLifecycleModes", "volumeLifecycleModes", after, before, errors);
    }

    static void checkNode(JsonObject tree, FieldErrors errors) {
        Set<String> names = new HashSet<>();
        List<JsonObject> drivers = drivers(tree);
        for (int i = 0; i < drivers.size(); i++) {
            String field = "spec.drivers[" + i + "]";
            driver(field, drivers.get(i), errors);
            String name = Trees.text(drivers.get(i), "name");
            if (!names.add(name)) {
                errors.duplicate(field + ".name", '"' + name + '"');
            }
            topologyKeys(field, drivers.get(i), errors);
        }
    }

    private static void driver(String field, JsonObject driver, FieldErrors errors) {
        NameRules.driver(field + ".name", Trees.text(driver, "name"), errors);
        String id = Trees.text(driver, "nodeID");
        if (id.isEmpty()) {
            errors.required(field + ".nodeID", "");
        } else if (id.length() > LONGEST_ID) {
            errors.invalid(field + ".nodeID", id, "must be 256 characters or less");
        }
        Optional<Long> count = Trees.number(driver, "allocatable", "count");
        count.filter(each -> each < 0)
                .ifPresent(each -> errors.invalidLiteral(
                        field + ".allocatable.count", each.toString(), "must be greater than or equal to 0"));
    }

    private static void topologyKeys(String field, JsonObject driver, FieldErrors errors) {
        Set<String> keys = new HashSet<>();
        for (String key : Trees.texts(driver, "topologyKeys")) {
            if (!keys.add(key)) {
                errors.duplicate(field, '"' + key + '"');
            }
            if (key.isEmpty()) {
                errors.required(field, "");
            }
            NameRules.labelKey(field, key, errors);
        }
    }

    /** A driver stays on its node as it came, but for how many volumes it can attach. */
    static void checkNodeUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
        for (JsonObject driver : drivers(updated)) {
            boolean isChanged = drivers(current).stream()
                    .filter(old -> Trees.text(old, "name").equals(Trees.text(driver, "name")))
                    .anyMatch(old -> !Set.of("allocatable").containsAll(Immutable.changed(old, driver)));
            if (isChanged) {
                errors.invalidLiteral("spec.drivers", driver.toString(), Immutable.WHY);
            }
        }
    }

    private static List<JsonObject> drivers(JsonObject tree) {
        return Trees.objects(tree, "spec", "drivers");
    }

    static void checkAttachment(JsonObject tree, FieldErrors errors) {
        JsonObject spec = Trees.ensureObject(tree, "spec");
        NameRules.driver("spec.attacher", Trees.text(spec, "attacher"), errors);
        source(Trees.object(spec, "source").orElseGet(JsonObject::new), errors);
        NameRules.subdomain("spec.nodeName", Trees.text(spec, "nodeName"), errors);
    }

    private static void source(JsonObject source, FieldErrors errors) {
        boolean named = source.has("persistentVolumeName");
        if (source.isEmpty()) {
            errors.required("spec.source", ONE_SOURCE);
        } else if (named && source.has("inlineVolumeSpec")) {
            errors.forbidden("spec.source", ONE_SOURCE);
        } else if (named) {
            String name = Trees.text(source, "persistentVolumeName");
            if (name.isEmpty()) {
                errors.required("spec.source.persistentVolumeName", "must specify non empty persistentVolumeName");
            }
            NameRules.subdomain("spec.source.persistentVolumeName", name, errors);
        }
    }

    static void checkAttachmentUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
        JsonObject after = Trees.ensureObject(updated, "spec");
        if (!Immutable.changed(Trees.ensureObject(current, "spec"), after).isEmpty()) {
            errors.invalidLiteral("spec", after.toString(), Immutable.WHY);
        }
    }

    static void checkCapacity(JsonObject tree, FieldErrors errors) {
        Trees.object(tree, "nodeTopology")
                .ifPresent(topology -> SelectorRules.labels("nodeTopology", topology, errors));
        NameRules.subdomain("storageClassName", Trees.text(tree, "storageClassName"), errors);
        String capacity = Trees.text(tree, "capacity");
        if (!capacity.isEmpty()) {
            AmountRules.notNegative("capacity", capacity, errors);
        }
    }

    static void checkCapacityUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
        Immutable.check("nodeTopology", updated, current, errors);
        Immutable.text("storageClassName", updated, current, errors);
    }
}
