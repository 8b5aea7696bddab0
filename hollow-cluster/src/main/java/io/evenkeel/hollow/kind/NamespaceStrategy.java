package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;

/** Namespaces carry their name as a label, and a finalizer while they live. */
final class NamespaceStrategy extends Strategy {

    @Override
    public void prepareForCreate(JsonObject tree) {
        Trees.ensureArray(Trees.ensureObject(tree, "spec"), "finalizers").add("kubernetes");
        JsonObject status = new JsonObject();
        status.addProperty("phase", "Active");
        tree.add("status", status);
    }

    @Override
    public void complete(JsonObject tree) {
        JsonObject metadata = tree.getAsJsonObject("metadata");
        Trees.ensureObject(metadata, "labels").addProperty("kubernetes.io/metadata.name", Trees.text(metadata, "name"));
    }

    @Override
    protected boolean hasStatus() {
        return true;
    }

    @Override
    public boolean returnsDeleted() {
        return true;
    }
}
