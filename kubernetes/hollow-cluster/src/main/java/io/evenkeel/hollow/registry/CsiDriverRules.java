package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rules of CSIDrivers, in the order in which a real server names violations. */
final class CsiDriverRules {

    private static final int SHORTEST_TOKEN = 600;
    private static final int SHORTEST_PERIOD = 10;

    private CsiDriverRules() {}

    static void check(JsonObject tree, FieldErrors errors) {
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

    static void checkUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
        JsonObject after = Trees.ensureObject(updated, "spec");
        JsonObject before = Trees.ensureObject(current, "spec");
        // a real server gives the first field a name that it has not
        Immutable.check("spec.attachedRequired", "attachRequired", after, before, errors);
        Immutable.check("spec.volumeLifecycleModes", "volumeLifecycleModes", after, before, errors);
    }
}
