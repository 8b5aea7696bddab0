package io.evenkeel.hollow;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.DeleteOptions;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.registry.Registry.Deleted;
import io.evenkeel.hollow.registry.Registry.Part;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.schema.TypeMeta;

/** The verbs on objects that are stored. */
record Resources(Registry registry, ObjectWriter writer, OpenWatches watches, Tokens tokens) {

    ApiReply serve(ApiRequest request, RequestPath path, Verb verb) {
        if (Subresources.serves(path)) {
            return subresources().serve(request, path);
        }
        ResourceType type = path.type();
        Part part = path.subresource().isEmpty() || path.subresource().equals("finalize") ? Part.OBJECT : Part.STATUS;
        return switch (verb) {
            case LIST ->
                new Lists(registry.store(), writer)
                        .list(request, type, path.namespace(), ListOptions.read(request.query(), type));
            case WATCH -> watches.watch(request, type, path.namespace(), watchOptions(request, path));
            case GET -> writer.reply(200, request, type, registry.get(type, path.namespace(), path.name()));
            case CREATE -> writes().create(request, path);
            case UPDATE -> writes().update(request, path, part);
            case PATCH -> writes().patch(request, path, part);
            case DELETE -> delete(request, path);
            case DELETECOLLECTION -> deleteCollection(request, path);
        };
    }

    private ApiReply delete(ApiRequest request, RequestPath path) {
        ResourceType type = path.type();
        Deleted deleted = registry.delete(type, path.namespace(), path.name(), options(request));
        if (!deleted.gone() || registry.returnsDeleted(type)) {
            return writer.reply(200, request, type, deleted.object());
        }
        return writer.reply(200, request, TypeMeta.STATUS, success(type, deleted.object()));
    }

    private ApiReply deleteCollection(ApiRequest request, RequestPath path) {
        ResourceType type = path.type();
        ObjectSelector selector = ListOptions.read(request.query(), type).selector();
        DeleteOptions options = options(request);
        JsonArray items = new JsonArray();
        for (StoredObject object :
                registry.store().list(type.storage(), path.namespace()).objects()) {
            if (selector.matches(object.tree())) {
                registry.delete(type, object.namespace(), object.name(), options);
                items.add(object.copy());
            }
        }
        JsonObject metadata =
                Trees.of("resourceVersion", Long.toString(registry.store().version()));
        return writer.reply(200, request, type.listTypeMeta(), Trees.of("metadata", metadata, "items", items));
    }

    private static DeleteOptions options(ApiRequest request) {
        DeleteOptions options = DeleteOptions.read(request.objectOrEmpty());
        return request.query()
                .number("gracePeriodSeconds")
                .map(options::withGracePeriod)
                .orElse(options);
    }

    private static ListOptions watchOptions(ApiRequest request, RequestPath path) {
        ListOptions options = ListOptions.read(request.query(), path.type());
        if (path.name().isEmpty()) {
            return options;
        }
        FieldSelector byName = FieldSelector.parse("metadata.name=" + path.name(), path.type());
        return options.selecting(new ObjectSelector(options.selector().labels(), byName));
    }

    private static JsonObject success(ResourceType type, StoredObject object) {
        JsonObject details = Trees.of("name", object.name());
        if (!type.group().isEmpty()) {
            details.addProperty("group", type.group());
        }
        details.addProperty("kind", type.resource());
        details.addProperty("uid", object.uid());
        return Trees.of("metadata", new JsonObject(), "status", "Success", "details", details);
    }

    /** Bindings that are posted to the namespace say themselves which pod they mean. */
    ApiReply bindings(ApiRequest request, RequestPath path, Verb verb) {
        if (verb != Verb.CREATE) {
            throw Refusals.methodNotAllowed();
        }
        String pod = Trees.text(request.object(), "metadata", "name");
        return subresources().serve(request, new RequestPath(ResourceTable.PODS, path.namespace(), pod, "binding"));
    }

    private Writes writes() {
        return new Writes(registry, writer);
    }

    private Subresources subresources() {
        return new Subresources(registry, tokens, writer);
    }
}
