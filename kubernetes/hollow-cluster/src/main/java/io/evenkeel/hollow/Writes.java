package io.evenkeel.hollow;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Decoding;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.registry.Registry.Part;
import io.evenkeel.hollow.registry.Registry.Written;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.hollow.resource.Patch;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.schema.KnownFields;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The verbs that bring objects, or parts of them. */
record Writes(Registry registry, ObjectWriter writer) {

    ApiReply create(ApiRequest request, RequestPath path) {
        ResourceType type = path.type();
        FieldValidation fields = new FieldValidation(type, request.query());
        JsonObject sent = fields.sent(request.object());
        String namespace = path.namespace();
        if (type.namespaced() && namespace.isEmpty()) {
            namespace = Trees.text(sent, "metadata", "namespace");
        }
        StoredObject created = registry.create(type, namespace, sent, request.dryRun());
        List<String> warnings = Stream.concat(fields.warnings().stream(), Absent.warning(type).stream())
                .toList();
        return writer.reply(201, request, type, created).warning(warnings);
    }

    ApiReply update(ApiRequest request, RequestPath path, Part part) {
        ResourceType type = path.type();
        FieldValidation fields = new FieldValidation(type, request.query());
        JsonObject sent = fields.sent(request.object());
        Written written = registry.update(type, path.namespace(), path.name(), sent, part, request.dryRun());
        return writer.reply(written.created() ? 201 : 200, request, type, written.object())
                .warning(fields.warnings());
    }

    ApiReply patch(ApiRequest request, RequestPath path, Part part) {
        ResourceType type = path.type();
        FieldValidation fields = new FieldValidation(type, request.query());
        String contentType = request.body().contentType();
        if (type.isCustom() && Patch.isStrategic(contentType)) {
            throw Refusals.unsupportedMediaType(Patch.MEDIA_TYPES.subList(0, 2));
        }
        Patch patch = fields.patch(Patch.read(contentType, request.body().text()));
        StoredObject patched = registry.patch(type, path.namespace(), path.name(), patch, part, request.dryRun());
        return writer.reply(200, request, type, patched).warning(fields.warnings());
    }

    /** Treats fields that a kind has not: with a refusal, a warning or nothing, as the parameter fieldValidation says. */
    private static final class FieldValidation {
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
}
