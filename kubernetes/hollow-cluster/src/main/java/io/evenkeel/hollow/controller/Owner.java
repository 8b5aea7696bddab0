package io.evenkeel.hollow.controller;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.util.List;
import java.util.Optional;

/** The object that made another and goes on to look after it. */
record Owner(String kind, String name, String uid) {

    private static final String REFERENCES = "ownerReferences";

    static Optional<Owner> controllerOf(JsonObject tree) {
        return Trees.objects(tree, "metadata", REFERENCES).stream()
                .filter(reference -> Trees.isTrue(reference, "controller"))
                .map(reference -> new Owner(
                        Trees.text(reference, "kind"), Trees.text(reference, "name"), Trees.text(reference, "uid")))
                .findFirst();
    }

    /** Where the controller of an object is, if it is of a kind. */
    static Optional<ObjectKey> controllerOf(StoredObject object, ResourceType type) {
        return controllerOf(object.tree())
                .filter(owner -> owner.kind.equals(type.kind()))
                .map(owner -> new ObjectKey(type.storage(), object.namespace(), owner.name));
    }

    static List<String> uidsOf(JsonObject tree) {
        return Trees.objects(tree, "metadata", REFERENCES).stream()
                .map(reference -> Trees.text(reference, "uid"))
                .toList();
    }

    /** The references of an object that a controller makes. */
    static JsonArray references(ResourceType type, StoredObject controller) {
        JsonArray references = new JsonArray();
        references.add(Trees.of(
                "apiVersion", type.apiVersion(),
                "kind", type.kind(),
                "name", controller.name(),
                "uid", controller.uid(),
                "controller", true,
                "blockOwnerDeletion", true));
        return references;
    }
}
