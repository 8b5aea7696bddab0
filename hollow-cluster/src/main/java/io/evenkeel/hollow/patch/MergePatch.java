package io.evenkeel.hollow.patch;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

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
