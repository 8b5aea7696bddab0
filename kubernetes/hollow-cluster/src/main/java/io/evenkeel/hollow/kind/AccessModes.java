package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;
import java.util.List;

/** How often and how a volume is used at once. */
final class AccessModes {

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
