package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;

/** Takes kind and apiVersion off an object, after a look at whether it is of the type that belongs where it was sent. */
final class TypeCheck {

    private TypeCheck() {}

    static void check(ResourceType type, JsonObject sent) {
        String kind = Trees.text(sent, "kind");
        String apiVersion = Trees.text(sent, "apiVersion");
        boolean otherKind = !kind.isEmpty() && !kind.equals(type.kind());
        boolean otherVersion = !apiVersion.isEmpty() && !apiVersion.equals(type.apiVersion());
        if (otherKind || otherVersion) {
            throw Refusals.badRequest("%s in version \"%s\" cannot be handled as a %s: expected %s %s"
                    .formatted(kind, apiVersion, type.kind(), type.apiVersion(), type.kind()));
        }
        Decoding.problem(type, sent).ifPresent(problem -> {
            throw Refusals.unreadable(type, problem);
        });
        sent.remove("kind");
        sent.remove("apiVersion");
    }
}
