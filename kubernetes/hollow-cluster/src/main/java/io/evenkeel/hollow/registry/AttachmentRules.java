package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;

/** The rules of VolumeAttachments, in the order in which a real server names violations. */
final class AttachmentRules {

    private static final String ONE_SOURCE = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";

    private AttachmentRules() {}

    static void check(JsonObject tree, FieldErrors errors) {
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

    static void checkUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
        JsonObject after = Trees.ensureObject(updated, "spec");
        if (!Immutable.changed(Trees.ensureObject(current, "spec"), after).isEmpty()) {
            errors.invalidLiteral("spec", after.toString(), Immutable.WHY);
        }
    }
}
