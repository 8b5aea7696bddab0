package io.evenkeel.hollow.resource;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.evenkeel.hollow.resource.Refusals.ApiException;
import io.evenkeel.model.json.Trees;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A change to an object, as a client sends it. */
@FunctionalInterface
public interface Patch {

    String STRATEGIC = "application/strategic-merge-patch+json";

    /** The types that every resource takes first. */
    List<String> MEDIA_TYPES = List.of("application/json-patch+json", "application/merge-patch+json", STRATEGIC);

    /** The object after the patch; the one given may be changed on the way. */
    JsonObject applyTo(JsonObject tree);

    /** Whether a patch knows what the lists of the kind mean, as servers do of their own kinds only. */
    static boolean isStrategic(String contentType) {
        return mediaType(contentType).equals(STRATEGIC);
    }

    private static String mediaType(String contentType) {
        return contentType.split(";", -1)[0].strip();
    }

    static Patch read(String contentType, String body) {
        String mediaType = mediaType(contentType);
        try {
            return switch (mediaType) {
                case "application/json-patch+json" ->
                    new JsonPatch(JsonParser.parseString(body).getAsJsonArray());
                case "application/merge-patch+json" -> new MergePatch(Trees.parse(body));
                case STRATEGIC -> new StrategicMergePatch(Trees.parse(body));
                case "application/apply-patch+yaml", "application/apply-patch+cbor" ->
                    throw Refusals.noServerSideApply();
                default -> throw Refusals.unsupportedMediaType(MEDIA_TYPES);
            };
        } catch (JsonParseException | IllegalStateException e) {
            throw Refusals.badRequest("error decoding patch: " + e.getMessage());
        }
    }

    /** RFC 7396: objects are merged, null deletes, all else replaces. */
    record MergePatch(JsonObject patch) implements Patch {

        @Override
        public JsonObject applyTo(JsonObject tree) {
            merge(tree, patch);
            return tree;
        }

        private static void merge(JsonObject tree, JsonObject patch) {
            patch.entrySet().forEach(member -> {
                String name = member.getKey();
                JsonElement value = member.getValue();
                if (value.isJsonNull()) {
                    tree.remove(name);
                } else if (value instanceof JsonObject change) {
                    JsonObject target = tree.get(name) instanceof JsonObject existing ? existing : new JsonObject();
                    merge(target, change);
                    tree.add(name, target);
                } else {
                    tree.add(name, value.deepCopy());
                }
            });
        }
    }

    /**
     * RFC 6902: a list of operations, all or nothing. As on a real API server a member that an object has not is null where
     * it is read, so that {@code replace} sets one that is not there yet; only {@code remove} and {@code move} need it.
     */
    record JsonPatch(JsonArray operations) implements Patch {

        @Override
        public JsonObject applyTo(JsonObject tree) {
            for (JsonElement element : operations) {
                apply(element.getAsJsonObject(), tree);
            }
            return tree;
        }

        private static void apply(JsonObject operation, JsonObject tree) {
            List<String> path = pointer(operation, "path");
            switch (Trees.text(operation, "op")) {
                case "add" -> add(tree, path, value(operation));
                case "remove" -> remove(tree, path);
                case "replace" -> replace(tree, path, value(operation));
                case "copy" ->
                    add(tree, path, find(tree, pointer(operation, "from")).deepCopy());
                case "move" -> add(tree, path, remove(tree, pointer(operation, "from")));
                case "test" -> {
                    if (!find(tree, path).equals(value(operation))) {
                        throw rejected();
                    }
                }
                default -> throw rejected();
            }
        }

        private static JsonElement value(JsonObject operation) {
            if (!operation.has("value")) {
                throw rejected();
            }
            return operation.get("value").deepCopy();
        }

        private static JsonElement find(JsonElement tree, List<String> path) {
            JsonElement element = tree;
            for (String step : path) {
                element = child(element, step);
            }
            return element;
        }

        private static JsonElement child(JsonElement parent, String step) {
            if (parent instanceof JsonObject object) {
                return object.has(step) ? object.get(step) : JsonNull.INSTANCE;
            }
            if (parent instanceof JsonArray array) {
                return array.get(index(step, array.size() - 1));
            }
            throw rejected();
        }

        private static void add(JsonObject tree, List<String> path, JsonElement value) {
            JsonElement parent = parent(tree, path);
            String last = path.getLast();
            switch (parent) {
                case JsonObject object -> object.add(last, value);
                case JsonArray array ->
                    insert(array, last.equals("-") ? array.size() : index(last, array.size()), value);
                default -> throw rejected();
            }
        }

        private static void replace(JsonObject tree, List<String> path, JsonElement value) {
            JsonElement parent = parent(tree, path);
            String last = path.getLast();
            switch (parent) {
                case JsonObject object -> object.add(last, value);
                case JsonArray array -> array.set(index(last, array.size() - 1), value);
                default -> throw rejected();
            }
        }

        private static JsonElement remove(JsonObject tree, List<String> path) {
            JsonElement parent = parent(tree, path);
            String last = path.getLast();
            if (parent instanceof JsonObject object && object.has(last)) {
                return object.remove(last);
            }
            if (parent instanceof JsonArray array) {
                return array.remove(index(last, array.size() - 1));
            }
            throw rejected();
        }

        private static JsonElement parent(JsonObject tree, List<String> path) {
            if (path.isEmpty()) {
                throw rejected();
            }
            return find(tree, path.subList(0, path.size() - 1));
        }

        private static void insert(JsonArray array, int at, JsonElement value) {
            array.add(value);
            for (int i = array.size() - 1; i > at; i--) {
                array.set(i, array.get(i - 1));
            }
            array.set(at, value);
        }

        private static int index(String step, int largest) {
            if (!step.matches("0|[1-9][0-9]{0,8}") || Integer.parseInt(step) > largest) {
                throw rejected();
            }
            return Integer.parseInt(step);
        }

        private static List<String> pointer(JsonObject operation, String member) {
            String pointer = Trees.text(operation, member);
            if (pointer.isEmpty()) {
                return List.of();
            }
            if (!pointer.startsWith("/")) {
                throw rejected();
            }
            return Arrays.stream(pointer.substring(1).split("/", -1))
                    .map(step -> step.replace("~1", "/").replace("~0", "~"))
                    .toList();
        }

        private static ApiException rejected() {
            return Refusals.refuse(
                    422, "Invalid", "the server rejected our request due to an error in our request", new JsonObject());
        }
    }

    /**
     * A merge patch that merges lists by the members that identify their elements, with directives: {@code $patch: delete} and
     * {@code $patch: replace}, {@code $deleteFromPrimitiveList/…}, {@code $retainKeys}, {@code $setElementOrder/…}.
     */
    record StrategicMergePatch(JsonObject patch) implements Patch {

        private static final String DIRECTIVE = "$patch";
        private static final String DELETE_VALUES = "$deleteFromPrimitiveList/";
        private static final String ORDER = "$setElementOrder/";
        private static final String RETAIN = "$retainKeys";

        @Override
        public JsonObject applyTo(JsonObject tree) {
            merge(tree, patch);
            return tree;
        }

        private static void merge(JsonObject tree, JsonObject patch) {
            if (directive(patch).equals("replace")) {
                List.copyOf(tree.keySet()).forEach(tree::remove);
            }
            if (patch.has(RETAIN)) {
                List<String> kept = Trees.texts(patch, RETAIN);
                tree.keySet().removeIf(name -> !kept.contains(name));
            }
            patch.entrySet().stream()
                    .filter(member -> member.getKey().startsWith(DELETE_VALUES))
                    .forEach(member -> deleteValues(
                            tree,
                            member.getKey().substring(DELETE_VALUES.length()),
                            member.getValue().getAsJsonArray()));
            patch.entrySet().stream()
                    .filter(member -> !member.getKey().startsWith("$"))
                    .forEach(member -> mergeMember(tree, member.getKey(), member.getValue()));
            patch.entrySet().stream()
                    .filter(member -> member.getKey().startsWith(ORDER))
                    .forEach(member -> order(
                            tree,
                            member.getKey().substring(ORDER.length()),
                            member.getValue().getAsJsonArray()));
        }

        private static void mergeMember(JsonObject tree, String name, JsonElement value) {
            switch (value) {
                case JsonObject change when directive(change).equals("delete") -> tree.remove(name);
                case JsonObject change -> {
                    JsonObject target = tree.get(name) instanceof JsonObject existing ? existing : new JsonObject();
                    merge(target, change);
                    tree.add(name, target);
                }
                case JsonArray changes -> {
                    JsonArray existing = tree.get(name) instanceof JsonArray array ? array : new JsonArray();
                    tree.add(name, merged(name, existing, changes));
                }
                case JsonElement element when element.isJsonNull() -> tree.remove(name);
                default -> tree.add(name, value.deepCopy());
            }
        }

        private static JsonArray merged(String name, JsonArray existing, JsonArray changes) {
            if (MergeKeys.mergesValues(name)) {
                changes.forEach(value -> {
                    if (!existing.contains(value)) {
                        existing.add(value.deepCopy());
                    }
                });
                return existing;
            }
            Optional<String> key = MergeKeys.of(name, changes);
            boolean replaced = changes.asList().stream()
                    .anyMatch(change -> change instanceof JsonObject object
                            && directive(object).equals("replace")
                            && (key.isEmpty() || !object.has(key.get())));
            JsonArray target = replaced ? new JsonArray() : existing;
            if (key.isEmpty()) {
                JsonArray copy = changes.deepCopy();
                copy.asList().removeIf(change -> change instanceof JsonObject object && object.has(DIRECTIVE));
                return copy;
            }
            for (JsonElement change : changes) {
                if (change instanceof JsonObject object && object.has(key.get())) {
                    mergeElement(target, key.get(), object);
                }
            }
            return target;
        }

        private static void mergeElement(JsonArray existing, String key, JsonObject change) {
            int at = indexOf(existing, key, change.get(key));
            if (directive(change).equals("delete")) {
                if (at >= 0) {
                    existing.remove(at);
                }
            } else if (at >= 0) {
                merge(existing.get(at).getAsJsonObject(), change);
            } else {
                JsonObject added = new JsonObject();
                merge(added, change);
                existing.add(added);
            }
        }

        private static void deleteValues(JsonObject tree, String name, JsonArray values) {
            Trees.array(tree, name).ifPresent(array -> values.forEach(array::remove));
        }

        /** Puts the listed elements in their order, behind elements that the patch does not know. */
        private static void order(JsonObject tree, String name, JsonArray order) {
            Optional<String> key = MergeKeys.of(name, order);
            Trees.array(tree, name)
                    .filter(_ -> key.isPresent())
                    .ifPresent(array -> order.forEach(element -> {
                        int at = indexOf(
                                array, key.get(), element.getAsJsonObject().get(key.get()));
                        if (at >= 0) {
                            array.add(array.remove(at));
                        }
                    }));
        }

        private static int indexOf(JsonArray array, String key, JsonElement value) {
            for (int i = 0; i < array.size(); i++) {
                if (array.get(i) instanceof JsonObject object && value.equals(object.get(key))) {
                    return i;
                }
            }
            return -1;
        }

        private static String directive(JsonObject patch) {
            return Trees.text(patch, DIRECTIVE);
        }

        /**
         * Which lists strategic merge patches merge, and by which member, from the {@code patchMergeKey}s of the Kubernetes API.
         * All other lists are replaced: tolerations and taints too, surprising as it is.
         */
        private static final class MergeKeys {

            private static final Map<String, List<String>> KEYS = Map.ofEntries(
                    Map.entry("containers", List.of("name")),
                    Map.entry("initContainers", List.of("name")),
                    Map.entry("ephemeralContainers", List.of("name")),
                    Map.entry("env", List.of("name")),
                    Map.entry("ports", List.of("containerPort", "port")),
                    Map.entry("volumes", List.of("name")),
                    Map.entry("volumeMounts", List.of("mountPath")),
                    Map.entry("volumeDevices", List.of("devicePath")),
                    Map.entry("conditions", List.of("type")),
                    Map.entry("schedulingGates", List.of("name")),
                    Map.entry("topologySpreadConstraints", List.of("topologyKey")),
                    Map.entry("resourceClaims", List.of("name")),
                    Map.entry("resourceClaimStatuses", List.of("name")),
                    Map.entry("imagePullSecrets", List.of("name")),
                    Map.entry("secrets", List.of("name")),
                    Map.entry("hostAliases", List.of("ip")),
                    Map.entry("podIPs", List.of("ip")),
                    Map.entry("hostIPs", List.of("ip")),
                    Map.entry("addresses", List.of("type")),
                    Map.entry("reservedFor", List.of("uid")),
                    Map.entry("ownerReferences", List.of("uid")));

            private static final Set<String> MERGED_VALUES = Set.of("finalizers", "podCIDRs");

            private MergeKeys() {}

            /** The member that identifies the elements of a list of objects; empty if the list is replaced as a whole. */
            static Optional<String> of(String list, JsonArray elements) {
                return KEYS.getOrDefault(list, List.of()).stream()
                        .filter(key -> elements.asList().stream().anyMatch(element -> has(element, key)))
                        .findFirst();
            }

            /** Whether a list of plain values is merged as a set. */
            static boolean mergesValues(String list) {
                return MERGED_VALUES.contains(list);
            }

            private static boolean has(JsonElement element, String key) {
                return element instanceof JsonObject object && object.has(key);
            }
        }
    }
}
