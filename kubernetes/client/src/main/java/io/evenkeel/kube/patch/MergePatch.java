package io.evenkeel.kube.patch;

import com.fasterxml.jackson.core.JsonGenerator;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.JsonText;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.kind.Kind;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * A JSON merge patch of an object: the fields that it names are replaced, the rest stays. A new object of the same
 * name is left alone. Each patch names all fields that its writer ever writes of the object, so that the newest replaces any before.
 *
 * @param subresource such as status; empty for the object itself
 * @param ofVersion whether it is meant for this version of the object alone, and not for what others have made of it since
 * @param body as it is sent
 */
public record MergePatch(Kind<?> kind, ObjectMeta object, String subresource, boolean ofVersion, String body) {
    private static final String CONTENT_TYPE = "application/merge-patch+json";
    private static final String STATUS = "status";

    /** Of the object's status: what it holds, as JSON. */
    public static MergePatch status(Kind<?> kind, ObjectMeta object, JsonText.Fields status) {
        String body = JsonText.object(json -> {
            json.writeObjectFieldStart("metadata");
            writeUid(json, object);
            json.writeEndObject();
            json.writeObjectFieldStart(STATUS);
            status.write(json);
            json.writeEndObject();
        });
        return new MergePatch(kind, object, STATUS, false, body);
    }

    /** Of this version's annotations: what they are to be, or that they are to go. Nothing is written over what others wrote since. */
    public static MergePatch annotations(Kind<?> kind, ObjectMeta object, Map<String, Optional<String>> annotations) {
        String body = JsonText.object(json -> {
            json.writeObjectFieldStart("metadata");
            writeUid(json, object);
            json.writeStringField("resourceVersion", object.resourceVersion());
            json.writeObjectFieldStart("annotations");
            for (Map.Entry<String, Optional<String>> each : annotations.entrySet()) {
                if (each.getValue().isPresent()) {
                    json.writeStringField(each.getKey(), each.getValue().get());
                } else {
                    json.writeNullField(each.getKey());
                }
            }
            json.writeEndObject();
            json.writeEndObject();
        });
        return new MergePatch(kind, object, "", true, body);
    }

    private static void writeUid(JsonGenerator json, ObjectMeta object) throws IOException {
        if (!object.uid().isEmpty()) {
            json.writeStringField("uid", object.uid());
        }
    }

    ApiCall call() {
        String path = kind.path(object) + (subresource.isEmpty() ? "" : "/" + subresource);
        return ApiCall.send("PATCH", path, CONTENT_TYPE, body);
    }

    /** Key of the patch: a newer one with the same key replaces it. */
    Target target() {
        return new Target(kind.name(), object.key(), subresource);
    }

    /** Object, or its subresource, that is patched. */
    record Target(String kind, String object, String subresource) {}
}
