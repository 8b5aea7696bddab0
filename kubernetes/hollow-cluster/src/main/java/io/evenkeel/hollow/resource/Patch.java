package io.evenkeel.hollow.resource;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.evenkeel.model.json.Trees;
import java.util.List;

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

    /** Reads a patch. */
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
}
