package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Update.EmptyMembers;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.Store;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** Makes a sent object into one to be stored: named, dated, completed, admitted, checked. */
record Creation(Store store, Strategies strategies, Times times, Supplier<UUID> uids) {

    /** The order in which a real server shows metadata. */
    private static final List<String> SHOWN_AFTER = List.of("labels", "annotations", "ownerReferences", "finalizers");

    StoredObject create(ResourceType type, String namespace, JsonObject sent, boolean dryRun) {
        Decoding.check(type, sent);
        EmptyMembers.removeFrom(sent);
        JsonObject metadata = Trees.ensureObject(sent, "metadata");
        String sentVersion = Trees.text(metadata, "resourceVersion");
        if (!sentVersion.isEmpty() && !sentVersion.equals("0")) {
            throw Refusals.refuse(500, "", "resourceVersion should not be set on objects to be created");
        }
        checkNamespace(type, namespace, metadata);
        Strategy strategy = strategies.of(type);
        String name = NameRules.of(metadata);
        JsonObject tree =
                Update.arranged(freshMetadata(metadata, type, namespace, name, strategy.tracksGeneration()), sent);
        FieldErrors errors = new FieldErrors();
        NameRules.object(type, name, errors);
        JsonObject stored = EventConversion.toStored(type, tree);
        if (type.storage().equals(ResourceTable.EVENTS.storage())) {
            EventRules.check(type, stored, errors);
        }
        refuse(errors, type, name);
        strategy.prepareForCreate(stored);
        strategy.complete(stored);
        strategy.validate(stored, errors);
        refuse(errors, type, name);
        ObjectKey key = new ObjectKey(type.storage(), type.namespaced() ? namespace : "", name);
        if (dryRun) {
            return StoredObject.unsaved(key, stored);
        }
        return store.create(key, stored).orElseThrow(() -> Refusals.alreadyExists(type, name));
    }

    private void checkNamespace(ResourceType type, String namespace, JsonObject metadata) {
        if (!type.namespaced()) {
            return;
        }
        String given = Trees.text(metadata, "namespace");
        if (!given.isEmpty() && !given.equals(namespace)) {
            throw Refusals.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
        StoredObject found = store.get(new ObjectKey(ResourceTable.NAMESPACES.storage(), "", namespace))
                .orElseThrow(() -> Refusals.notFound(ResourceTable.NAMESPACES, namespace));
        if (found.tree().getAsJsonObject("metadata").has("deletionTimestamp")) {
            throw Refusals.forbidden(
                    type,
                    Trees.text(metadata, "name"),
                    "unable to create new content in namespace " + namespace + " because it is being terminated");
        }
    }

    private JsonObject freshMetadata(
            JsonObject sent, ResourceType type, String namespace, String name, boolean generation) {
        JsonObject metadata = Trees.of("name", name);
        if (sent.has("generateName")) {
            metadata.add("generateName", sent.get("generateName"));
        }
        if (type.namespaced()) {
            metadata.addProperty("namespace", namespace);
        }
        metadata.addProperty("uid", uids.get().toString());
        metadata.addProperty("resourceVersion", "");
        if (generation) {
            metadata.addProperty("generation", 1);
        }
        metadata.addProperty("creationTimestamp", times.now());
        SHOWN_AFTER.stream()
                .filter(sent::has)
                .filter(member -> !(sent.get(member) instanceof JsonObject map && map.isEmpty()))
                .forEach(member -> metadata.add(member, sent.get(member)));
        return metadata;
    }

    private static void refuse(FieldErrors errors, ResourceType type, String name) {
        // both versions of events are checked as the one they are stored in
        errors.refuse(type.equals(ResourceTable.NEW_EVENTS) ? "" : type.group(), type.kind(), name);
    }
}
