package io.evenkeel.hollow.rest.object;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Part;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.registry.Registry.Written;
import io.evenkeel.hollow.resource.KeptOnly;
import io.evenkeel.hollow.resource.Patch;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.rest.request.ApiReply;
import io.evenkeel.hollow.rest.request.ApiRequest;
import io.evenkeel.hollow.rest.request.ObjectWriter;
import io.evenkeel.hollow.rest.request.RequestPath;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.util.List;
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
        List<String> warnings = Stream.concat(fields.warnings().stream(), KeptOnly.warning(type).stream())
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
}
