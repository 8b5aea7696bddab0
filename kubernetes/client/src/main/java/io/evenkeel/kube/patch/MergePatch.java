package io.evenkeel.kube.patch;

import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.write.Tree;
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

    /** Of the object's status: what it holds. */
    public static MergePatch status(Kind<?> kind, ObjectMeta object, Tree status) {
        Tree body = new Tree()
                .put("metadata", new Tree().putNonEmpty("uid", object.uid()))
                .put(STATUS, status);
        return new MergePatch(kind, object, STATUS, false, body.json());
    }

    /** Of this version's annotations: what they are to be, or that they are to go. Nothing is written over what others wrote since. */
    public static MergePatch annotations(Kind<?> kind, ObjectMeta object, Map<String, Optional<String>> annotations) {
        Tree wanted = new Tree();
        annotations.forEach((name, value) -> wanted.put(name, value.orElse(null)));
        Tree metadata = new Tree()
                .putNonEmpty("uid", object.uid())
                .put("resourceVersion", object.resourceVersion())
                .put("annotations", wanted);
        Tree body = new Tree().put("metadata", metadata);
        return new MergePatch(kind, object, "", true, body.json());
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
