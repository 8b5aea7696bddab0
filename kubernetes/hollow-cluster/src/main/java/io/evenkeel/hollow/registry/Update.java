package io.evenkeel.hollow.registry;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Registry.Part;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;
import java.util.List;

/** Makes what a client wants of an object into its next state: who it is stays, the rest is checked. */
record Update(ResourceType type, Strategy strategy, Part part) {

    private static final List<String> IDENTITY = List.of(
            "name",
            "generateName",
            "namespace",
            "uid",
            "resourceVersion",
            "generation",
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds");

    /** The next state in place of {@code current}, from the served form that is wanted. */
    JsonObject next(JsonObject current, JsonObject wanted) {
        Decoding.check(type, wanted);
        checkMetadata(current, wanted);
        JsonObject next = EventConversion.toStored(type, wanted);
        EmptyMembers.removeFrom(next);
        next = part == Part.STATUS ? withStatusOf(current, next) : next;
        JsonObject tree = identified(current, next);
        if (part == Part.OBJECT) {
            strategy.prepareForUpdate(tree, current);
        }
        strategy.complete(tree);
        FieldErrors errors = new FieldErrors();
        if (part == Part.OBJECT) {
            strategy.validate(tree, errors);
            strategy.validateUpdate(tree, current, errors);
        }
        errors.refuse(type.group(), type.kind(), Trees.text(current, "metadata", "name"));
        if (part == Part.OBJECT) {
            strategy.admitUpdate(tree, current);
        }
        if (strategy.tracksGeneration() && !specOf(tree).equals(specOf(current))) {
            Registry.bumpGeneration(tree);
        }
        return tree;
    }

    private void checkMetadata(JsonObject current, JsonObject wanted) {
        JsonObject metadata = Trees.ensureObject(wanted, "metadata");
        String name = Trees.text(current, "metadata", "name");
        String given = Trees.text(metadata, "name");
        if (!given.isEmpty() && !given.equals(name)) {
            throw Refusals.badRequest(
                    "the name of the object (%s) does not match the name on the URL (%s)".formatted(given, name));
        }
        String namespace = Trees.text(metadata, "namespace");
        if (!namespace.isEmpty() && !namespace.equals(Trees.text(current, "metadata", "namespace"))) {
            throw Refusals.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
        String uid = Trees.text(metadata, "uid");
        if (!uid.isEmpty() && !uid.equals(Trees.text(current, "metadata", "uid"))) {
            FieldErrors errors = new FieldErrors();
            // twice: the metadata is validated by the kind and for all kinds
            errors.invalid("metadata.uid", uid, "field is immutable");
            errors.invalid("metadata.uid", uid, "field is immutable");
            errors.refuse(type.group(), type.kind(), name);
        }
        String version = Trees.text(metadata, "resourceVersion");
        if (!version.isEmpty()
                && !version.equals("0")
                && !version.equals(Trees.text(current, "metadata", "resourceVersion"))) {
            throw Refusals.modified(type, name);
        }
    }

    private static JsonObject withStatusOf(JsonObject current, JsonObject wanted) {
        JsonObject next = current.deepCopy();
        next.add("metadata", wanted.get("metadata"));
        next.remove("status");
        if (wanted.has("status")) {
            next.add("status", wanted.get("status"));
        }
        return next;
    }

    private static JsonObject identified(JsonObject current, JsonObject wanted) {
        JsonObject before = current.getAsJsonObject("metadata");
        JsonObject after = wanted.getAsJsonObject("metadata");
        JsonObject metadata = new JsonObject();
        IDENTITY.stream().filter(before::has).forEach(member -> metadata.add(member, before.get(member)));
        after.entrySet().stream()
                .filter(member -> !IDENTITY.contains(member.getKey()))
                .filter(member -> !member.getKey().equals("managedFields"))
                .filter(member -> !(member.getValue() instanceof JsonObject map && map.isEmpty()))
                .forEach(member -> metadata.add(member.getKey(), member.getValue()));
        return arranged(metadata, wanted);
    }

    /** The metadata, then what else is wanted. */
    static JsonObject arranged(JsonObject metadata, JsonObject wanted) {
        JsonObject tree = Trees.of("metadata", metadata);
        wanted.entrySet().stream()
                .filter(member -> !member.getKey().equals("metadata"))
                .forEach(member -> tree.add(member.getKey(), member.getValue()));
        return tree;
    }

    private static JsonObject specOf(JsonObject tree) {
        JsonObject spec = new JsonObject();
        tree.asMap().forEach(spec::add);
        spec.remove("metadata");
        spec.remove("status");
        return spec;
    }

    /**
     * Removes nulls and empty lists. A real server loses them between reading and writing, since its types leave out what is
     * empty; without this an untouched field would differ from one that was cleared.
     */
    static final class EmptyMembers {

        private EmptyMembers() {}

        static void removeFrom(JsonObject tree) {
            tree.entrySet().removeIf(member -> isEmpty(member.getValue()));
            tree.entrySet().forEach(member -> descend(member.getValue()));
        }

        private static void descend(JsonElement element) {
            switch (element) {
                case JsonObject object -> removeFrom(object);
                case JsonArray array -> array.forEach(EmptyMembers::descend);
                default -> {}
            }
        }

        private static boolean isEmpty(JsonElement element) {
            return element instanceof JsonNull || (element instanceof JsonArray array && array.isEmpty());
        }
    }
}
