package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The rules of CSINodes, in the order in which a real server names violations. */
final class CsiNodeRules {

    private static final int LONGEST_ID = 256;

    private CsiNodeRules() {}

    static void check(JsonObject tree, FieldErrors errors) {
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
    static void checkUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
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
}
