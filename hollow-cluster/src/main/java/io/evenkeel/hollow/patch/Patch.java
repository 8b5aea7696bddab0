package io.evenkeel.hollow.patch;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.evenkeel.hollow.json.Trees;
import io.evenkeel.hollow.status.Refusals;
import java.util.List;

/** A change to an object, as a client sends it. */
@FunctionalInterface
public interface Patch {

    List<String> MEDIA_TYPES = List.of(
            "application/json-patch+json", "application/merge-patch+json", "application/strategic-merge-patch+json");

    /** The object after the patch; the one given may be changed on the way. */
    JsonObject applyTo(JsonObject tree);

    /** Reads a patch. */
    static Patch read(String contentType, String body) {
        String mediaType = contentType.split(";", -1)[0].strip();
        try {
            return switch (mediaType) {
                case "application/json-patch+json" ->
                    new JsonPatch(JsonParser.parseString(body).getAsJsonArray());
                case "application/merge-patch+json" -> new MergePatch(Trees.parse(body));
                case "application/strategic-merge-patch+json" -> new StrategicMergePatch(Trees.parse(body));
                case "application/apply-patch+yaml", "application/apply-patch+cbor" ->
                    throw Refusals.noServerSideApply();
                default -> throw Refusals.unsupportedMediaType(MEDIA_TYPES);
            };
        } catch (JsonParseException | IllegalStateException e) {
            throw Refusals.badRequest("error decoding patch: " + e.getMessage());
        }
    }
}
