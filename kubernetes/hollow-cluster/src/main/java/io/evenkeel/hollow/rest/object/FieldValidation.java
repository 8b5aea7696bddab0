package io.evenkeel.hollow.rest.object;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Decoding;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.hollow.resource.Patch;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.rest.request.Query;
import io.evenkeel.model.json.Trees;
import io.evenkeel.schema.KnownFields;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Treats fields that a kind has not: with a refusal, a warning or nothing, as the parameter fieldValidation says. */
final class FieldValidation {
    private final ResourceType type;
    private final String mode;
    private final List<String> warnings = new ArrayList<>();

    FieldValidation(ResourceType type, Query query) {
        this.type = type;
        this.mode = query.text("fieldValidation");
    }

    /** The object that was sent, without unknown fields. */
    JsonObject sent(JsonObject tree) {
        String kind = Trees.text(tree, "kind");
        if (!kind.isEmpty() && !kind.equals(type.kind())) {
            return tree; // refused for being another kind
        }
        List<String> unknown = unknown(tree);
        if (isStrict() && !unknown.isEmpty()) {
            throw Refusals.unreadable(type, sentence(unknown));
        }
        return tree;
    }

    /** The patched object, without unknown fields. */
    Patch patch(Patch patch) {
        return tree -> {
            JsonObject patched = patch.applyTo(tree);
            Decoding.problem(type, patched).ifPresent(problem -> refuse(patched.toString(), problem));
            String shown = isStrict() ? patched.toString() : "";
            List<String> unknown = unknown(patched);
            if (isStrict() && !unknown.isEmpty()) {
                refuse(shown, sentence(unknown));
            }
            return patched;
        };
    }

    private static void refuse(String patched, String why) {
        FieldErrors errors = new FieldErrors();
        errors.invalid("patch", patched, why);
        errors.refuse("", "", "");
    }

    /** The warnings beside the answer. */
    List<String> warnings() {
        return List.copyOf(warnings);
    }

    private List<String> unknown(JsonObject tree) {
        List<String> unknown = KnownFields.keepIn(type.typeMeta(), tree);
        warnings.clear();
        if (!mode.equals("Ignore")) {
            unknown.forEach(path -> warnings.add("unknown field \"" + path + "\""));
        }
        return unknown;
    }

    private boolean isStrict() {
        return mode.equals("Strict");
    }

    private static String sentence(List<String> unknown) {
        return unknown.stream()
                .map(path -> "unknown field \"" + path + "\"")
                .collect(Collectors.joining(", ", "strict decoding error: ", ""));
    }
}
